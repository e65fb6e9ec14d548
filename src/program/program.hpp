// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/program/run_way.hpp"
#include "src/program/timed_sample.hpp"
#include "src/runtime/cores/wake_word.hpp"

#include <skelrt/plan.hpp>
#include <skelrt/runtime.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

namespace skelrt::detail
{

/// What a higher floor keeps for a program. It is the runtime's, and goes with it.
class program_part
{
public:
    /// Another thread's program from now on.
    virtual void begin_anew() noexcept = 0;

protected:
    ~program_part() = default;
};

/// Calls without a wait of the host's in between.
struct call_row {
    unsigned now = 0; ///< since the last wait
    /// How many were before.
    unsigned add() noexcept { return now++; }
    void end() noexcept { now = 0; }
};

/// What a thread has said of the calls that it makes.
struct call_wishes {
    device_set kinds = device_set::all(); ///< sk::only
    std::optional<bool> fuses;            ///< sk::fusion; none: as the runtime has it
    const plan* followed = nullptr;       ///< sk::follow
    std::shared_ptr<run_way> run;         ///< of the outermost run that the program works for; null: for none
    int priority = 0;                     ///< of the item that it runs

    /// Of what such an item starts: more, or less, urgent than itself by so much.
    int priority_of(int own) const noexcept
    {
        int both = 0;
        if (!__builtin_add_overflow(priority, own, &both)) return both;
        return own > 0 ? std::numeric_limits<int>::max() : std::numeric_limits<int>::min();
    }
};

/// What a program has submitted and is not yet done. Any thread, but for exceeds() and waits, which are the program's.
/// What workers count is on a cache line of its own, which the program need not look at.
class in_flight_count
{
public:
    std::uint32_t now() const noexcept
    {
        const std::uint32_t ended = ended_.load(); // first: what ends has begun
        return begun_.load(std::memory_order_acquire) - ended;
    }
    void begins() noexcept { begun_.fetch_add(1, std::memory_order_release); }
    /// Who waits for it goes on.
    void end(std::uint32_t n) noexcept
    {
        if (is_reached(ended_.add(n), awaited_.load())) ended_.wake();
    }
    /// Whether more are in flight. Looks at what has ended only where it may matter.
    bool exceeds(std::uint32_t most) noexcept
    {
        const std::uint32_t begun = begun_.load(std::memory_order_relaxed);
        if (begun - ended_at_least_ > most) ended_at_least_ = ended_.load();
        return begun - ended_at_least_ > most;
    }
    /// Until no more than so many are in flight. All of them must have been given to StarPU.
    void wait(std::uint32_t most) noexcept;

private:
    /// Numbers go round.
    static bool is_reached(std::uint32_t now, std::uint32_t goal) noexcept
    {
        return static_cast<std::int32_t>(now - goal) >= 0;
    }

    alignas(64) std::atomic<std::uint32_t> begun_{0};
    std::uint32_t ended_at_least_ = 0;
    alignas(64) wake_word ended_;
    std::atomic<std::uint32_t> awaited_{0}; ///< so many have to end until the program goes on
};

/// One order of calls: a thread of the user's, from its first call to its end.
///
/// Lifetime: of threads that have ended they go to new ones; never destroyed, for calls may end late.
/// Threads: all is its own thread's, unless it says otherwise.
class program
{
    static constexpr std::uint32_t most_calls = 256, most_tasks = 4096;

public:
    static program& current() noexcept { return mine ? *mine : begin(); }
    /// Whether other threads than the calling one may make calls.
    static bool has_others() noexcept { return threads.load(std::memory_order_relaxed) > 1; }

    call_wishes wishes;
    call_row row;
    timed_sample sample; ///< of the calls that it runs itself
    /// Submitted; written under the order's lock, read by any thread.
    std::atomic<std::uint64_t> calls_made{0};

    /// It makes a call, whoever does it.
    void note_work(std::uint32_t recipe, std::size_t elements) noexcept
    {
        if (wishes.run) seen_.add(recipe, elements);
    }
    /// Since the last time.
    work_seen take_work_seen() noexcept { return std::exchange(seen_, {}); }
    /// It submits a call. With the order's lock.
    void note_call() noexcept
    {
        calls_made.fetch_add(1, std::memory_order_relaxed);
        if (wishes.run) wishes.run->note_call();
    }
    /// Calls submitted and not yet done. Any thread.
    std::uint32_t calls_in_flight() const noexcept { return calls_.now(); }
    void call_begins() noexcept { calls_.begins(); }
    /// Any thread.
    void calls_end(std::uint32_t n) noexcept { calls_.end(n); }
    /// They cost memory, and what they need is in no cache any more when many wait: a program is so far ahead, and no
    /// further.
    bool is_far_ahead() const noexcept { return calls_.now() > most_calls; }
    /// Until no more than so many are in flight. All of them must have been given to StarPU.
    void wait_for_own_calls(std::uint32_t most = most_calls / 2) noexcept { calls_.wait(most); }

    /// The same of tasks that it made itself (sk::task).
    void task_begins() noexcept { tasks_.begins(); }
    void task_ends() noexcept { tasks_.end(1); }
    void wait_if_many_tasks() noexcept
    {
        if (tasks_.exceeds(most_tasks)) tasks_.wait(most_tasks / 2);
    }
    void wait_for_own_tasks() noexcept { tasks_.wait(0); }

    /// The part of this runtime, if there is one.
    program_part* part(std::uint64_t of_runtime) noexcept
    {
        if (part_of_ != of_runtime) return nullptr;
        if (anew_) [[unlikely]] {
            anew_ = false;
            part_->begin_anew();
        }
        return part_;
    }
    void set_part(program_part& part, std::uint64_t of_runtime) noexcept
    {
        part_ = &part, part_of_ = of_runtime, anew_ = false;
    }

private:
    struct keeper;
    static program& begin() noexcept;
    static program& take() noexcept;

    /// Of few bytes, and asked by every call: found without the loader's help.
    [[gnu::tls_model("initial-exec")]] static constinit thread_local program* mine;

    static std::atomic<unsigned> threads; ///< that have a program

    in_flight_count calls_, tasks_;
    work_seen seen_; ///< in items of a run
    program_part* part_ = nullptr;
    std::uint64_t part_of_ = 0; ///< a runtime's number; none has 0
    bool anew_ = false;         ///< the part does not know yet that the thread is another one
    std::atomic<bool> taken_{true};
    program* next_ = nullptr;
};

} // namespace skelrt::detail
