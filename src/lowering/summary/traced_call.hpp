// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/decide/decision.hpp"
#include "src/trace/timeline.hpp"

#include <skelrt/detail/call.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace skelrt::detail
{

/// SKELRT_TRACE: a call in the thread that makes it, from here to the end of a block. Those who decide tell what becomes
/// of it.
class traced_call
{
public:
    explicit traced_call(const call& c) noexcept
    {
        if (tracing()) [[unlikely]]
            begin(c);
    }
    ~traced_call()
    {
        if (made_) [[unlikely]]
            end();
    }
    traced_call(const traced_call&) = delete;
    traced_call& operator=(const traced_call&) = delete;

    /// Of the calling thread; null: nobody records.
    static traced_call* current() noexcept { return tracing() ? innermost : nullptr; }

    /// The calling thread does it, alone or leading all cores.
    void is_done_here(bool all_cores, double predicted_us, bool free) noexcept;
    /// It has become tasks, under that number.
    void is_submitted(std::uint64_t number, const decision& d, const std::vector<const target*>& targets, done_by by,
                      bool free) noexcept;

private:
    void begin(const call& c) noexcept;
    void end() noexcept;

    static thread_local traced_call* innermost;

    trace_record& written() noexcept;

    const call* made_ = nullptr; ///< null: nobody records
    traced_call* around_ = nullptr;
    std::uint64_t begin_ns_ = 0;
    unsigned before_ = 0;
    bool only_counted_ = false;          ///< the clock was not asked: one of a row of short calls
    bool is_short_ = false;              ///< the calling thread does it alone
    std::optional<trace_record> record_; ///< once there is something to write
};

} // namespace skelrt::detail
