// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/trace/observers.hpp"
#include "src/trace/record.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

/// What threads and devices do just now, for those who look while they do it: a lookout that tells what takes long, and
/// a profiler. Who is at work reads no clock: it writes down what it does, and whoever looks twice and finds the same
/// knows that it took at least so long.
namespace skelrt::detail
{

enum class deed : std::uint8_t {
    none,
    call,    ///< made by a thread of the program
    task,    ///< part of a call, on cores
    kernels, ///< the same on a GPU
    item,    ///< of a farm, a pipeline, a tree; for profilers alone
    wait,    ///< of a thread for what others do
    build,   ///< of kernels
};

/// A thread's, which alone writes it, or a GPU's, whose worker does. What a look finds is whole only where nothing
/// changes meanwhile; what changes is of no interest. Never destroyed: those of threads that have ended go to new ones.
struct alignas(64) deed_line {
    std::atomic<const std::string*> name{nullptr};
    std::atomic<std::uint64_t> word{0}; ///< from the left: number of the deed, row, kind
    std::atomic<bool> taken{true};
    bool is_main = false;
    deed_line* next = nullptr;

    void set(deed what, const std::string* of, std::int16_t row) noexcept
    {
        name.store(of, std::memory_order_relaxed);
        const std::uint64_t number = (word.load(std::memory_order_relaxed) >> 32) + 1;
        word.store(number << 32 | std::uint64_t{static_cast<std::uint16_t>(row)} << 8 |
                       static_cast<std::uint64_t>(what),
                   std::memory_order_relaxed);
    }
};

/// The calling thread does something from begin() to the end of a block, or from the block's begin; within something
/// else, perhaps, which it goes on with then. The name lives as long as the process; null: nobody is told.
class doing
{
public:
    doing() = default;
    doing(deed what, const std::string* name, std::int16_t row = trace_record::own_thread) noexcept
    {
        if (is_observed()) [[unlikely]]
            begin(what, name, row);
    }
    ~doing()
    {
        if (line_) [[unlikely]]
            leave_line();
        if (is_range_) [[unlikely]]
            end_range();
    }
    doing(const doing&) = delete;
    doing& operator=(const doing&) = delete;

    void begin(deed what, const std::string* name, std::int16_t row = trace_record::own_thread,
               observer_set who = observers_now()) noexcept
    {
        if (!name) return;
        if (who.has(observer::lookout)) enter_line(what, name, row);
        if (who.has(observer::profiler)) [[unlikely]]
            begin_range(what, *name);
    }

private:
    /// Of few bytes, and asked by every call: found without the loader's help.
    [[gnu::tls_model("initial-exec")]] static constinit thread_local deed_line* mine;
    static deed_line& sit_down() noexcept;
    friend struct deed_keeper;

    void enter_line(deed what, const std::string* name, std::int16_t row) noexcept
    {
        line_ = mine ? mine : &sit_down();
        outer_ = line_->name.load(std::memory_order_relaxed);
        outer_word_ = static_cast<std::uint32_t>(line_->word.load(std::memory_order_relaxed));
        line_->set(what, name, row);
    }
    void leave_line() noexcept
    {
        line_->set(static_cast<deed>(outer_word_ & 0xff), outer_, static_cast<std::int16_t>(outer_word_ >> 8));
    }
    void begin_range(deed what, const std::string& name) noexcept;
    static void end_range() noexcept;

    deed_line* line_ = nullptr; ///< null: no lookout
    bool is_range_ = false;     ///< of a profiler
    // With a line; calls that nobody looks at do not write them.
    std::uint32_t outer_word_;
    const std::string* outer_;
};

/// A profiler, called by whoever does something, for as long as the process lives. Never throws.
struct deed_listener {
    void (*begin)(deed what, const std::string& name);
    void (*end)();
};
void listen_to_deeds(const deed_listener& l) noexcept;

/// The calling worker hands kernels to its GPU, which end with the task that they are of.
void kernels_begin(int worker, const std::string& name) noexcept;
void kernels_end(int worker) noexcept;

/// What one look finds.
struct seen_deed {
    const void* by = nullptr; ///< a thread, or a device
    std::uint32_t number = 0; ///< others of the same thread have others
    deed what = deed::none;
    const std::string* name = nullptr; ///< never null
    std::int16_t row = trace_record::own_thread;
    bool is_main = false; ///< the process's first thread
};
/// All that is under way, and what devices were given last: these with `none`. Any thread.
std::vector<seen_deed> look_at_deeds();

} // namespace skelrt::detail
