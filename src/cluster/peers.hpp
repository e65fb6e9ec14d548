// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/cluster/call_history.hpp"

#include <starpu.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <thread>
#include <vector>

namespace skelrt::detail
{

/// Bytes that go to a rank on the value plane.
struct outgoing {
    int to = 0;
    std::span<const std::byte> bytes;
};
/// Bytes that come from a rank on the value plane; both ends know their number.
struct incoming {
    int from = 0;
    std::span<std::byte> bytes;
};

/// What a rank leaves the others with.
struct farewell {
    bool under_exception = false; ///< one is under way in its program
};

/// Messages and bytes since the start, for tests, traces and models.
struct traffic {
    std::uint64_t messages_sent = 0, bytes_sent = 0;
    std::uint64_t largest_sent = 0; ///< bytes
    std::uint64_t values_sent = 0;  ///< swaps of the value plane
};

/// The other ranks of this program, and the two ways to speak with them. Known to libskelrt, implemented by
/// libskelrt-mpi; null where one process runs alone.
///
/// Lifetime: opened before StarPU starts, left and stopped before it ends, gone after it. Thread safety: send and
/// receive by the thread that holds the submission lock; `calls` and what waits for others by the program's thread, in
/// the same order on all ranks.
class peers
{
public:
    virtual ~peers() = default;
    peers(const peers&) = delete;
    peers& operator=(const peers&) = delete;

    int rank() const noexcept { return rank_; }
    int size() const noexcept { return size_; }
    int local_rank() const noexcept { return local_rank_; } ///< among the ranks of this node
    int local_size() const noexcept { return local_size_; }

    /// Before StarPU starts, and by all ranks of this node: what each of them says, in the order of their local ranks,
    /// all as long as this rank's. Nobody returns before all have come.
    virtual std::vector<std::byte> gather_on_node(std::span<const std::byte> mine) = 0;
    /// StarPU runs; before any send.
    virtual void start() = 0;
    /// Data plane: an edge of the graph. The handle's content, once written by the tasks before, goes to another rank.
    /// Tags: tags.hpp.
    virtual void send(starpu_data_handle_t what, int to, std::int64_t tag) = 0;
    /// The handle is written by what `from` sends under this tag; `done(argument)` is called on another thread.
    virtual void receive(starpu_data_handle_t into, int from, std::int64_t tag, void (*done)(void*),
                         void* argument) = 0;
    /// Value plane: waits until all has gone and come. Throws error when ranks have diverged or left, or do not answer
    /// in time; from then on it throws that at once.
    virtual void swap_values(std::span<const outgoing> out, std::span<const incoming> in) = 0;
    /// This rank's program goes wrong in a way that the others do not see: their next wait throws this text.
    virtual void tell_failure(std::string_view why) noexcept = 0;
    /// All own calls are done. Tells the others, and waits until they have left, too; under an exception not for long.
    virtual void leave(const farewell& f) noexcept = 0;
    /// The data plane ends: all handles that were sent or received are gone. StarPU still runs.
    virtual void stop() noexcept = 0;
    /// Says why, and ends the job, all ranks.
    [[noreturn]] virtual void give_up(std::string_view why) noexcept = 0;
    virtual traffic so_far() const noexcept = 0;

    /// What this rank has called so far. All that all ranks must do alike is recorded before it is done.
    call_history calls;
    /// Throws error for a call of another thread than that which made the runtime: the order of the calls of two
    /// threads is not the same on all ranks.
    void refuse_other_threads(const char* name, caller where) const;

protected:
    peers() = default;

    int rank_ = 0, size_ = 1, local_rank_ = 0, local_size_ = 1;

private:
    const std::thread::id programs_thread_ = std::this_thread::get_id();
};

} // namespace skelrt::detail
