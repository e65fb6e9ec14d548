// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <span>
#include <vector>

namespace skelrt::detail
{

enum class notice_kind : std::uint8_t {
    left = 1, ///< a departure
    failed,   ///< a text that every wait throws from now on
    parted,   ///< the sender's last calls: they are not the receiver's
    where,    ///< a question
    place,    ///< its answer
};

struct notice {
    notice_kind kind;
    int from;
    std::vector<std::byte> bytes;
};

/// Short messages between ranks that nobody waits for. Thread-safe: any thread may look what has come.
class notice_board
{
public:
    /// A communicator for notices alone.
    explicit notice_board(MPI_Comm all) noexcept;
    notice_board(const notice_board&) = delete;
    notice_board& operator=(const notice_board&) = delete;

    void send(int to, notice_kind kind, std::span<const std::byte> bytes) noexcept;
    void send_all(notice_kind kind, std::span<const std::byte> bytes) noexcept;
    /// What has come; nothing if another thread is just looking.
    std::vector<notice> take() noexcept;
    /// Whether all that was sent is on its way.
    bool all_sent() noexcept;

private:
    struct sent {
        std::vector<std::byte> bytes;
        MPI_Request request = MPI_REQUEST_NULL;
    };
    void forget_sent() noexcept;

    const MPI_Comm all_;
    int rank_ = 0, size_ = 1;
    std::mutex guard_;
    std::list<sent> under_way_;
};

} // namespace skelrt::detail
