// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>
#include <starpu.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace skelrt::detail
{

/// Messages as edges of StarPU's graph: its MPI layer sends what a handle holds when the tasks before have written it.
/// Thread safety: send and receive by one thread at a time; what counts, any.
class data_plane
{
public:
    /// StarPU runs; a communicator for it alone. Throws error.
    data_plane(MPI_Comm all, int ranks);
    ~data_plane() { shut_down(); }
    /// All messages are done; waits for those that are not. Others may still ask how many are open.
    void shut_down() noexcept;
    data_plane(const data_plane&) = delete;
    data_plane& operator=(const data_plane&) = delete;

    void send(starpu_data_handle_t what, int to, std::int64_t tag);
    void receive(starpu_data_handle_t into, int from, std::int64_t tag, void (*done)(void*), void* argument);

    struct traffic_counts {
        std::uint64_t messages = 0, bytes = 0, largest = 0;
    };
    traffic_counts sent() const noexcept;

    /// Messages that a rank still owes this one, or has not taken.
    long pending(int rank) const noexcept;
    /// Changes whenever a message is done.
    std::uint64_t done() const noexcept { return done_.load(std::memory_order_relaxed); }

private:
    struct message { ///< under way
        data_plane* plane;
        int other;
        void (*done)(void*);
        void* argument;
    };
    /// As long as StarPU-MPI has it.
    message* note(int other, void (*done)(void*), void* argument);
    static void end(void* message_) noexcept;
    void know_interface(starpu_data_handle_t h);

    const MPI_Comm all_;
    bool is_down_ = false;
    std::set<int> known_; ///< interfaces of data
    std::vector<std::atomic<long>> pending_;
    std::atomic<std::uint64_t> messages_{0}, bytes_{0}, largest_{0}, done_{0};
};

} // namespace skelrt::detail
