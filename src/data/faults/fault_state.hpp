// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/faults/unread.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

namespace skelrt::detail
{

/// Calls that failed to write some data, the oldest ones: each of them is an error for all who read later. Shared with
/// the data's copies, which inherit them. On cache lines of its own: workers look at it while who submits counts its
/// holders.
class alignas(64) fault_log
{
public:
    fault_log() = default;
    fault_log(const fault_log&) = delete;
    fault_log& operator=(const fault_log&) = delete;
    void add(std::uint64_t call, const std::exception_ptr& what) noexcept;
    /// The fault of a call with a number in [from, before), or null.
    std::exception_ptr find(std::uint64_t from, std::uint64_t before) noexcept;
    /// One load: most logs stay empty.
    bool empty() const noexcept { return !any_.load(std::memory_order_acquire); }
    static constexpr std::size_t most = 16;
    std::size_t size() noexcept;

private:
    struct fault {
        std::uint64_t call;
        noted_error what;
    };
    std::atomic<bool> any_{false};
    std::mutex guard_;
    std::vector<fault> faults_; ///< by their calls
    /// The first that there was no memory for: it stands for all that came after.
    std::exception_ptr rest_;
    std::uint64_t rest_from_ = 0;
};

/// Which faults a reader has to mind: those of calls in [from, before).
struct fault_window {
    std::shared_ptr<fault_log> log;
    std::uint64_t from = 0, before = 0;
};
/// The same for several who read, or none.
using shared_windows = std::shared_ptr<const std::vector<fault_window>>;

/// What readers of some data must mind.
struct fault_state {
    std::shared_ptr<fault_log> faults = std::make_shared<fault_log>();
    std::uint64_t healed = 0; ///< faults of calls before this number no longer matter: later ones wrote everything anew
    std::vector<fault_window> inherited; ///< what a copy must mind of its originals; empty once overwritten
};
/// As who takes over the data inherits it: windows of the call numbers before `next_call`.
void inherit_faults(std::vector<fault_window>& into, const fault_state& from, std::uint64_t next_call);

/// The fault that a reader submitted before call number `before` must not overlook, or null.
std::exception_ptr find_fault(const fault_state& of, std::uint64_t before) noexcept;
/// From call number `call` on everything is written anew.
void heal(fault_state& of, std::uint64_t call) noexcept;

} // namespace skelrt::detail
