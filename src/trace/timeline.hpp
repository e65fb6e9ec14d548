// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/trace/deeds.hpp"
#include "src/trace/observers.hpp"
#include "src/trace/record.hpp"
#include "src/trace/trace_setting.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// SKELRT_TRACE=FILE: what threads, devices and copies do, for a timeline. Floors above say what happens; this one
/// keeps it, and writes it.
///
/// Lifetime: the process's. The file is written at each runtime's end, with all that the process has recorded for it,
/// and when the process ends otherwise (last_words.hpp). Threads: any may call anything.
namespace skelrt::detail
{

inline bool tracing() noexcept { return is_observed_by(observer::timeline); }

/// Whether somebody wants to know which item a thread runs.
inline bool names_items() noexcept { return tracing() || is_observed_by(observer::profiler); }

/// Before devices are started.
void prepare_recording() noexcept;
/// From now on. Empty: that went well; else what went wrong. Throws std::bad_alloc, std::system_error.
[[nodiscard]] std::string begin_recording(const trace_setting& s);
/// Writes the file. Empty: that went well; else what went wrong.
std::string end_recording() noexcept;

/// While tracing().
void record(const trace_record& r) noexcept;
/// A short call that the calling thread has computed itself: if the one before was like it, and just over, both become
/// one record.
void record_short_call(const trace_record& r) noexcept;
/// From one of StarPU's memories to another; `done`: it is over by now, else nobody knows when it will be.
void record_copy(unsigned from, unsigned to, std::size_t bytes, std::uint64_t begin_ns, bool done) noexcept;
/// Calls like the calling thread's newest record that nobody has timed.
struct short_row {
    const std::string* name = nullptr;
    std::uint64_t rows = 0, cols = 0;
    std::uint32_t untimed_left = 0, untimed = 0;
};
/// Asked by every call that is traced: found without the loader's help.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local short_row own_short_row;

/// Whether the next short call of that name and shape need not look at the clock; then count_short_call() is all.
inline bool counts_only(const std::string* name, std::uint64_t rows, std::uint64_t cols) noexcept
{
    const short_row& r = own_short_row;
    return r.untimed_left > 0 && r.name == name && r.rows == rows && r.cols == cols;
}
inline void count_short_call() noexcept
{
    --own_short_row.untimed_left;
    ++own_short_row.untimed;
}
/// The text, for as long as the process lives. Takes a lock: once a call site or a run, not each time.
const std::string& kept_name(std::string_view text);

/// Of something that a thread does from here to the end of a block: an item, a wait. Whoever else looks is told, too.
class traced_time
{
public:
    traced_time(traced what, const std::string* name, std::uint64_t number = 0) noexcept
        : what_(what), name_(name), number_(number), begin_ns_(name && tracing() ? trace_now_ns() : 0),
          now_(what == traced::wait ? deed::wait : deed::item, name)
    {
    }
    ~traced_time()
    {
        if (begin_ns_ > 0) end();
    }
    traced_time(const traced_time&) = delete;
    traced_time& operator=(const traced_time&) = delete;

private:
    void end() noexcept;
    const traced what_;
    const std::string* const name_; ///< null: nothing is recorded
    const std::uint64_t number_;
    const std::uint64_t begin_ns_;
    const doing now_;
};

} // namespace skelrt::detail
