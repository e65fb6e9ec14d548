// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/mpi/mpi_peers.hpp"

#include "src/cluster/mpi/node_group.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <cstdlib>

namespace skelrt::detail
{

namespace
{

int rank_in(MPI_Comm all)
{
    int rank = 0;
    MPI_Comm_rank(all, &rank);
    return rank;
}

int size_of(MPI_Comm all)
{
    int size = 1;
    MPI_Comm_size(all, &size);
    return size;
}

} // namespace

mpi_peers::mpi_peers(MPI_Comm all, const peers_options& wanted)
    : wanted_(wanted), data_(all, wanted.patience_s), values_(all, wanted.patience_s), notices_(all, wanted.patience_s),
      node_(make_node_group(notices_.get())),
      others_(notices_.get()), ground_{others_, calls, rank_in(all), std::chrono::seconds(wanted.patience_s),
                                       wanted.warn},
      value_plane_(values_.get(), ground_)
{
    rank_ = rank_in(all);
    size_ = size_of(all);
    local_rank_ = rank_in(node_.get());
    local_size_ = size_of(node_.get());
    watch_.emplace(ground_, size_, wanted.asleep);
}

std::vector<std::byte> mpi_peers::gather_on_node(std::span<const std::byte> mine)
{
    std::vector<std::byte> all(mine.size() * static_cast<std::size_t>(local_size_));
    const int bytes = static_cast<int>(mine.size());
    MPI_Request gathered;
    check_mpi(MPI_Iallgather(mine.data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, node_.get(), &gathered),
              "MPI_Iallgather");
    wait_bounded(gathered, wanted_.patience_s, "not all ranks of this node have come to start StarPU", [this] {
        others_.look();
        if (const auto why = others_.failure()) throw error(*why);
    });
    return all;
}

void mpi_peers::start()
{
    data_plane_.emplace(data_.get(), size_);
    watch_->look_at(&*data_plane_);
}

void mpi_peers::send(starpu_data_handle_t what, int to, std::int64_t tag) { data_plane_->send(what, to, tag); }

void mpi_peers::receive(starpu_data_handle_t into, int from, std::int64_t tag, void (*done)(void*), void* argument)
{
    data_plane_->receive(into, from, tag, done, argument);
}

void mpi_peers::swap_values(std::span<const outgoing> out, std::span<const incoming> in)
{
    swaps_.fetch_add(1, std::memory_order_relaxed);
    value_plane_.swap(out, in);
}

void mpi_peers::tell_failure(std::string_view why) noexcept { others_.fail(fmt::format("rank {}: {}", rank_, why)); }

void mpi_peers::leave(const farewell& f) noexcept
{
    const departure mine{calls.calls(), calls.hash(), calls.newest(), f.under_exception};
    others_.leave(mine);
    await_others(f.under_exception);
    if (const int other = others_.who_left_otherwise(mine); other >= 0 && !f.under_exception && !others_.failure())
        wanted_.warn(fmt::format("rank {} ended its runtime after {}, and this rank after {}; all ranks must make the "
                                 "same calls",
                                 other, text_of(others_.left(other)->last), text_of(mine.last))
                         .c_str());
}

/// Who leaves in good order waits for the others, which may have work of their own; who leaves under an exception only
/// until they know: its program may be about to say why.
void mpi_peers::await_others(bool under_exception) noexcept
{
    constexpr std::chrono::seconds long_enough{2};
    const auto begin = std::chrono::steady_clock::now();
    roll_caller patience(others_, ground_.patience);
    while (!others_.all_have_left() || !others_.all_sent()) {
        others_.look();
        answer_partings(ground_);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (under_exception && std::chrono::steady_clock::now() - begin > long_enough) return leave_mpi_open();
        const auto found = patience.conclusion(); // who waits for this rank will find out by itself
        if (found && found->what == roll_call_result::lost) abort_job(found->text);
        if (found && found->what == roll_call_result::go_on) wanted_.warn(found->text.c_str());
    }
}

void mpi_peers::stop() noexcept
{
    if (!data_plane_) return;
    sent_before_ = data_plane_->sent();
    data_plane_->shut_down(); // the watch sees to it that this ends
    watch_->look_at(nullptr);
    data_plane_.reset();
}

void mpi_peers::give_up(std::string_view why) noexcept { abort_job(fmt::format("rank {}: {}", rank_, why)); }

traffic mpi_peers::so_far() const noexcept
{
    const auto sent = data_plane_ ? data_plane_->sent() : sent_before_;
    return {sent.messages, sent.bytes, sent.largest, swaps_.load(std::memory_order_relaxed)};
}

} // namespace skelrt::detail
