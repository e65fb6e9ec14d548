// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/runtime/lookout/long_deeds.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace skelrt::detail
{

/// SKELRT_PROGRESS: a thread that looks twice a second at what the others do, and says on stderr what takes long.
///
/// Lifetime: a runtime's, from before its devices start until they have ended. Nobody waits for it but its end.
class lookout
{
public:
    /// Throws std::system_error.
    explicit lookout(std::chrono::duration<double> patience = std::chrono::seconds{2},
                     std::chrono::milliseconds between_looks = std::chrono::milliseconds{500});
    ~lookout();
    lookout(const lookout&) = delete;
    lookout& operator=(const lookout&) = delete;

    /// StarPU runs, with workers of these names; empty: it does not any more.
    void devices_are_up(std::vector<std::string> workers);

private:
    void go(const std::stop_token& stop);

    const std::chrono::milliseconds between_looks_;
    std::mutex guard_;
    std::condition_variable_any woken_;
    long_deeds seen_;
    bool has_tasks_ = false; ///< StarPU may be asked for them
    std::jthread thread_;
};

} // namespace skelrt::detail
