// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/mpi/waits/roll.hpp"

#include <cstring>
#include <type_traits>

namespace skelrt::detail
{

namespace
{

template <class T>
std::span<const std::byte> bytes_of(const T& value)
{
    static_assert(std::is_trivially_copyable_v<T>);
    return std::as_bytes(std::span(&value, 1));
}

template <class T>
T value_of(const notice& n)
{
    T value{};
    if (n.bytes.size() == sizeof value) std::memcpy(static_cast<void*>(&value), n.bytes.data(), sizeof value);
    return value;
}

std::string text_of(const notice& n) { return {reinterpret_cast<const char*>(n.bytes.data()), n.bytes.size()}; }

} // namespace

roll::roll(MPI_Comm all) : board_(all)
{
    int size = 1;
    MPI_Comm_rank(all, &rank_);
    MPI_Comm_size(all, &size);
    left_.resize(static_cast<std::size_t>(size));
    places_.resize(static_cast<std::size_t>(size));
}

void roll::look() noexcept
{
    for (const notice& n : board_.take()) {
        if (n.kind == notice_kind::where) {
            place mine;
            {
                const std::lock_guard lock(guard_);
                mine = mine_;
            }
            board_.send(n.from, notice_kind::place, bytes_of(mine));
        } else {
            const std::lock_guard lock(guard_);
            read(n);
        }
    }
}

void roll::read(const notice& n)
{
    const auto from = static_cast<std::size_t>(n.from);
    switch (n.kind) {
    case notice_kind::left:
        left_[from] = value_of<departure>(n);
        break;
    case notice_kind::failed:
        if (!failure_) failure_ = text_of(n);
        break;
    case notice_kind::parted:
        partings_.push_back({n.from, value_of<call_history::ring>(n)});
        break;
    case notice_kind::place:
        places_[from] = value_of<place>(n);
        break;
    case notice_kind::where:
        break;
    }
}

void roll::fail(std::string_view text) noexcept
{
    {
        const std::lock_guard lock(guard_);
        if (failure_) return;
        failure_ = text;
    }
    board_.send_all(notice_kind::failed, std::as_bytes(std::span(text)));
}

std::optional<std::string> roll::failure() const
{
    const std::lock_guard lock(guard_);
    return failure_;
}

void roll::leave(const departure& mine) noexcept
{
    {
        const std::lock_guard lock(guard_);
        left_[static_cast<std::size_t>(rank_)] = mine;
    }
    board_.send_all(notice_kind::left, bytes_of(mine));
}

std::optional<departure> roll::left(int rank) const
{
    const std::lock_guard lock(guard_);
    return left_[static_cast<std::size_t>(rank)];
}

bool roll::all_have_left() const
{
    const std::lock_guard lock(guard_);
    for (const auto& l : left_)
        if (!l) return false;
    return true;
}

int roll::who_left_otherwise(const departure& mine) const
{
    const std::lock_guard lock(guard_);
    for (std::size_t r = 0; r < left_.size(); ++r)
        if (left_[r] && (left_[r]->calls != mine.calls || left_[r]->hash != mine.hash)) return static_cast<int>(r);
    return -1;
}

void roll::set_place(const place& mine) noexcept
{
    const std::lock_guard lock(guard_);
    mine_ = mine;
}

void roll::ask_all() noexcept
{
    {
        const std::lock_guard lock(guard_);
        for (auto& p : places_) p.reset();
    }
    board_.send_all(notice_kind::where, {});
}

std::vector<rank_answer> roll::answers() const
{
    const std::lock_guard lock(guard_);
    std::vector<rank_answer> all(places_.size());
    for (std::size_t r = 0; r < all.size(); ++r) {
        const std::optional<place>& p = r == static_cast<std::size_t>(rank_) ? std::optional(mine_) : places_[r];
        if (left_[r]) all[r] = {rank_answer::left, {false, -1, left_[r]->last}};
        else if (p) all[r] = {p->waits ? rank_answer::waits : rank_answer::computes, *p};
    }
    return all;
}

void roll::part(int from, const call_history::ring& mine) noexcept
{
    board_.send(from, notice_kind::parted, bytes_of(mine));
}

std::optional<parting_of_ways> roll::next_parting()
{
    const std::lock_guard lock(guard_);
    if (partings_.empty()) return {};
    const parting_of_ways last = partings_.back();
    partings_.pop_back();
    return last;
}

} // namespace skelrt::detail
