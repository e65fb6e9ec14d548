// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/cluster/mpi/data_plane.hpp"
#include "src/cluster/mpi/waits/patient_wait.hpp"
#include "src/cluster/mpi/waits/roll_caller.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace skelrt::detail
{

/// A thread that looks at notices while the program's thread does other things, and ends the job where that waits for
/// tasks which wait for messages that cannot come any more: nobody can throw an error there.
class watch
{
public:
    watch(const wait_ground& ground, int ranks, const std::atomic<int>* asleep);
    ~watch();
    watch(const watch&) = delete;
    watch& operator=(const watch&) = delete;

    /// From here on it looks at messages, too; null: not any more.
    void look_at(const data_plane* messages);

private:
    void go(const std::stop_token& stop);
    void look(roll_caller& patience);
    /// The first rank with which messages are open; -1: none.
    int open_with() const;
    /// Why these messages cannot come; empty: they can.
    std::string why_hopeless(int with) const;

    const wait_ground& ground_;
    const int ranks_;
    const std::atomic<int>* const asleep_;
    std::mutex guard_;
    std::condition_variable_any woken_;
    const data_plane* messages_ = nullptr;
    std::uint64_t done_ = 0; ///< messages
    std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
    place said_; ///< of this rank, to others
    std::jthread thread_;
};

} // namespace skelrt::detail
