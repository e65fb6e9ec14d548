#pragma once

#include "src/cluster/mpi/data_plane.hpp"
#include "src/cluster/mpi/waits/roll.hpp"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace skelrt::detail
{

/// A thread that looks at notices while the program's thread does other things, and ends the job where tasks wait for
/// messages that cannot come any more: nobody can throw an error there.
class watch
{
public:
    watch(roll& others, int rank, int ranks);
    ~watch();
    watch(const watch&) = delete;
    watch& operator=(const watch&) = delete;

    /// From here on it looks at messages, too; null: not any more.
    void look_at(const data_plane* messages);

private:
    void go(const std::stop_token& stop);
    /// Why a pending message cannot come; empty: it can.
    std::string why_hopeless();

    roll& others_;
    const int rank_, ranks_;
    std::mutex guard_;
    std::condition_variable_any woken_;
    const data_plane* messages_ = nullptr;
    std::jthread thread_;
};

} // namespace skelrt::detail
