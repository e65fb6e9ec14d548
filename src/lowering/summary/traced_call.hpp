// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/decide/decision.hpp"
#include "src/trace/timeline.hpp"

#include <skelrt/detail/call.hpp>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace skelrt::detail
{

/// A call in the thread that makes it, from here to the end of a block: for the timeline, and for whoever else looks.
/// Those who decide tell what becomes of it.
class traced_call
{
public:
    explicit traced_call(const call& c) noexcept
    {
        if (const observer_set who = observers_now(); !who.empty()) [[unlikely]]
            begin(c, who);
    }
    ~traced_call()
    {
        if (!made_) [[likely]]
            return;
        innermost = around_;
        if (is_short_ && only_counted_) count_short_call();
        else end();
    }
    traced_call(const traced_call&) = delete;
    traced_call& operator=(const traced_call&) = delete;

    /// Of the calling thread; null: nobody records.
    static traced_call* current() noexcept { return tracing() ? innermost : nullptr; }

    /// The calling thread does it, alone or leading all cores.
    void is_done_here(bool all_cores, double predicted_us, bool free) noexcept
    {
        is_short_ = !all_cores;
        if (!is_short_ || !only_counted_) note_done_here(predicted_us, free);
    }
    /// It has become tasks, under that number.
    void is_submitted(std::uint64_t number, const decision& d, const std::vector<const target*>& targets, done_by by,
                      bool free) noexcept;

private:
    /// A call of 200 ns in a row of such ones has a few of them for this.
    void begin(const call& c, observer_set who) noexcept
    {
        if (who.has(observer::timeline)) {
            made_ = &c;
            around_ = std::exchange(innermost, this);
            only_counted_ = counts_only(&c.site->what.name, c.rows, c.cols);
            if (!only_counted_) look_at_clock();
        }
        now_.begin(deed::call, &c.site->what.name, trace_record::own_thread, who);
    }
    void look_at_clock() noexcept;
    void note_done_here(double predicted_us, bool free) noexcept;
    void end() noexcept;

    /// Of few bytes, and asked by every call that is traced: found without the loader's help.
    [[gnu::tls_model("initial-exec")]] static constinit thread_local traced_call* innermost;

    trace_record& written() noexcept;

    doing now_;
    const call* made_ = nullptr; ///< null: nobody records
    traced_call* around_ = nullptr;
    std::uint64_t begin_ns_ = 0;
    unsigned before_ = 0;
    bool only_counted_ = false;          ///< the clock was not asked: one of a row of short calls
    bool is_short_ = false;              ///< the calling thread does it alone
    std::optional<trace_record> record_; ///< once there is something to write
};

} // namespace skelrt::detail
