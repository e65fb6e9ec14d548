// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/mpi/waits/notice_board.hpp"

namespace skelrt::detail
{

notice_board::notice_board(MPI_Comm all) noexcept : all_(all)
{
    MPI_Comm_rank(all_, &rank_);
    MPI_Comm_size(all_, &size_);
}

void notice_board::send(int to, notice_kind kind, std::span<const std::byte> bytes) noexcept
{
    const std::lock_guard lock(guard_);
    forget_sent();
    sent& s = under_way_.emplace_back();
    s.bytes.assign(bytes.begin(), bytes.end());
    MPI_Isend(s.bytes.data(), static_cast<int>(s.bytes.size()), MPI_BYTE, to, static_cast<int>(kind), all_, &s.request);
}

void notice_board::send_all(notice_kind kind, std::span<const std::byte> bytes) noexcept
{
    for (int to = 0; to < size_; ++to)
        if (to != rank_) send(to, kind, bytes);
}

std::vector<notice> notice_board::take() noexcept
{
    std::vector<notice> come;
    const std::unique_lock lock(guard_, std::try_to_lock);
    if (!lock) return come;
    forget_sent();
    for (;;) {
        int there = 0, count = 0;
        MPI_Status status;
        if (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, all_, &there, &status) != MPI_SUCCESS || !there) return come;
        MPI_Get_count(&status, MPI_BYTE, &count);
        notice& n = come.emplace_back(notice{static_cast<notice_kind>(status.MPI_TAG), status.MPI_SOURCE,
                                             std::vector<std::byte>(static_cast<std::size_t>(count))});
        MPI_Recv(n.bytes.data(), count, MPI_BYTE, n.from, status.MPI_TAG, all_, MPI_STATUS_IGNORE);
    }
}

bool notice_board::all_sent() noexcept
{
    const std::lock_guard lock(guard_);
    forget_sent();
    return under_way_.empty();
}

void notice_board::forget_sent() noexcept
{
    std::erase_if(under_way_, [](sent& s) {
        int done = 0;
        return MPI_Test(&s.request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done;
    });
}

} // namespace skelrt::detail
