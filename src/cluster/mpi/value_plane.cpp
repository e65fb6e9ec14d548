// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/mpi/value_plane.hpp"

#include "src/cluster/mpi/session.hpp"

#include <skelrt/error.hpp>

#include <algorithm>

namespace skelrt::detail
{

namespace
{

enum tag { with_header = 1, large };

/// visit(part of the value), in order: no count comes near what MPI takes, and each part that arrives is progress.
template <class Byte, class Visit>
void for_each_piece(std::span<Byte> value, Visit visit)
{
    constexpr std::size_t most = std::size_t{64} << 20;
    for (std::size_t at = 0; at < value.size(); at += most) visit(value.subspan(at, std::min(most, value.size() - at)));
}

bool are_done(const std::vector<MPI_Request>& all)
{
    return std::ranges::all_of(all, [](MPI_Request r) { return r == MPI_REQUEST_NULL; });
}

} // namespace

void value_plane::swap(std::span<const outgoing> out, std::span<const incoming> in)
{
    if (const auto why = ground_.others.failure()) throw error(*why);
    patient_wait waiting(ground_, out, in);
    try {
        post(out, in);
        while (!are_done(to_come_) || !are_done(to_go_)) take(in, waiting);
    } catch (...) {
        let_go();
        throw;
    }
}

void value_plane::post(std::span<const outgoing> out, std::span<const incoming> in)
{
    to_come_.assign(in.size(), MPI_REQUEST_NULL);
    to_go_.assign(out.size(), MPI_REQUEST_NULL);
    coming_.resize(std::max(coming_.size(), in.size()));
    going_.resize(std::max(going_.size(), out.size()));
    for (std::size_t k = 0; k < in.size(); ++k)
        check_mpi(MPI_Irecv(&coming_[k], sizeof(envelope), MPI_BYTE, in[k].from, with_header, all_, &to_come_[k]),
                  "MPI_Irecv");
    for (std::size_t k = 0; k < out.size(); ++k) {
        const auto [to, value] = out[k];
        envelope& e = going_[k];
        const std::size_t inside = value.size() <= envelope::room ? value.size() : 0;
        e.head = {ground_.calls.calls(), ground_.calls.hash(), value.size()};
        std::copy_n(value.begin(), inside, e.value.begin());
        check_mpi(MPI_Isend(&e, static_cast<int>(sizeof(header) + inside), MPI_BYTE, to, with_header, all_, &to_go_[k]),
                  "MPI_Isend");
        if (value.size() > envelope::room)
            for_each_piece(value, [&, to = to](std::span<const std::byte> piece) {
                check_mpi(MPI_Isend(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, to, large, all_,
                                    &to_go_.emplace_back(MPI_REQUEST_NULL)),
                          "MPI_Isend");
            });
    }
}

void value_plane::take(std::span<const incoming> in, patient_wait& waiting)
{
    done_.resize(std::max(to_come_.size(), to_go_.size()));
    const auto test = [&](std::vector<MPI_Request>& requests) {
        int count = 0;
        check_mpi(
            MPI_Testsome(static_cast<int>(requests.size()), requests.data(), &count, done_.data(), MPI_STATUSES_IGNORE),
            "MPI_Testsome");
        return std::max(count, 0); // MPI_UNDEFINED where none is left
    };
    const int gone = test(to_go_), come = test(to_come_);
    if (gone + come == 0) return waiting.go_on();
    waiting.note_progress();
    for (const int d : std::span(done_).first(static_cast<std::size_t>(come)))
        if (const auto k = static_cast<std::size_t>(d); k < in.size()) open(coming_[k], in[k], waiting);
}

void value_plane::open(const envelope& come, const incoming& to, patient_wait& waiting)
{
    const header& h = come.head;
    if (h.calls != ground_.calls.calls() || h.hash != ground_.calls.hash() || h.bytes != to.bytes.size())
        waiting.refuse(to.from, h.calls);
    if (h.bytes <= envelope::room) std::copy_n(come.value.begin(), h.bytes, to.bytes.begin());
    else
        for_each_piece(to.bytes, [&](std::span<std::byte> piece) {
            check_mpi(MPI_Irecv(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, to.from, large, all_,
                                &to_come_.emplace_back(MPI_REQUEST_NULL)),
                      "MPI_Irecv");
        });
}

/// All ranks fail alike, so nobody takes what was sent. What comes must not be written to the caller's memory later.
void value_plane::let_go() noexcept
{
    for (MPI_Request& r : to_go_)
        if (r != MPI_REQUEST_NULL) MPI_Request_free(&r);
    for (MPI_Request& r : to_come_)
        if (r != MPI_REQUEST_NULL) {
            MPI_Cancel(&r);
            MPI_Wait(&r, MPI_STATUS_IGNORE);
        }
}

} // namespace skelrt::detail
