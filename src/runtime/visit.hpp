// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/runtime/cores/team.hpp"
#include "src/runtime/life.hpp"

#include <atomic>
#include <optional>

/// Which threads are in the library just now. The runtime's end lets no other in and waits for those that are: they may
/// use the runtime for as long as they stay. Some nanoseconds a visit; nothing is shared between threads until the end
/// looks.
namespace skelrt::detail
{

/// A thread's. Of threads that have ended they go to new ones; never destroyed.
struct alignas(64) seat {
    std::atomic<unsigned> visits{0};
    std::atomic<bool> taken{true};
    bool of_worker = false;
    seat* next = nullptr;
};

/// A thread's visit. Visits within visits count as one: what has begun may be finished.
class visit
{
public:
    visit() noexcept : seat_(mine ? mine : &sit_down())
    {
        seat_->visits.store(seat_->visits.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        if (need_fences.load(std::memory_order_relaxed)) std::atomic_thread_fence(std::memory_order_seq_cst);
        else std::atomic_signal_fence(std::memory_order_seq_cst);
    }
    ~visit() { leave(); }
    visit(const visit&) = delete;
    visit& operator=(const visit&) = delete;

    /// Null: no runtime lives, or it is about to end.
    running* runtime() const noexcept
    {
        return (is_within_another() ? life::current : life::for_visitors).load(std::memory_order_acquire);
    }
    bool is_within_another() const noexcept { return seat_->visits.load(std::memory_order_relaxed) > 1; }
    /// Ends before its time.
    void leave() noexcept
    {
        if (!seat_) return;
        seat_->visits.store(seat_->visits.load(std::memory_order_relaxed) - 1, std::memory_order_release);
        seat_ = nullptr;
    }
    /// Whether StarPU runs this thread, or a user function is under way.
    bool is_of_task() const noexcept { return seat_->of_worker || inside_user_code(); }

private:
    friend struct seat_keeper;
    friend void prepare_visits() noexcept;
    friend void wait_for_visitors() noexcept;
    static seat& sit_down() noexcept;

    /// Of few bytes, and asked by every call: found without the loader's help.
    [[gnu::tls_model("initial-exec")]] static constinit thread_local seat* mine;
    /// A visitor writes that it is here, and then looks whether the runtime still is; the end does it the other way
    /// round, and the system makes all threads agree on the order, so that visitors need no fence of their own.
    static std::atomic<bool> need_fences;

    seat* seat_; ///< null: it has ended
};

/// For what cannot fail, destructors above all: where the runtime is about to end, waits until it has. Tasks do not: it
/// waits for them.
class patient_visit
{
public:
    patient_visit() noexcept
    {
        visit_.emplace();
        if (life::ending.load(std::memory_order_acquire)) [[unlikely]]
            wait_for_end();
    }
    running* runtime() const noexcept { return visit_->runtime(); }

private:
    void wait_for_end() noexcept;

    std::optional<visit> visit_;
};

/// For what may be done by the calling thread at once. Throws error when there is no runtime, and inside a user
/// function or a task of StarPU's.
class short_visit
{
public:
    explicit short_visit(const char* what) : runtime_(visit_.runtime())
    {
        if (!runtime_ || visit_.is_of_task()) [[unlikely]]
            refuse(what);
    }
    running& runtime() const noexcept { return *runtime_; }
    /// Before anything that may wait. Throws error inside a callback of StarPU's, too: one of a task that runs nowhere
    /// may be run by the thread that submits it.
    void goes_on(const char* what) const;

private:
    [[noreturn]] void refuse(const char* what);

    visit visit_;
    running* runtime_;
};

/// For what may wait. Throws error when there is no runtime, and where nothing may wait: inside a user function, or a
/// task or callback of StarPU's.
class call_visit : public short_visit
{
public:
    explicit call_visit(const char* what) : short_visit(what) { goes_on(what); }
};

/// Whether the calling thread is running a task or a StarPU callback, where nothing may wait.
bool inside_task() noexcept;

/// Makes visits known to ends. At a runtime's start.
void prepare_visits() noexcept;
/// Returns when no thread but the calling one is in the library. New ones must find no runtime already.
void wait_for_visitors() noexcept;

/// Whether this process is the child of a fork, with a copy of a runtime whose threads and devices are its parent's.
/// Nothing of the runtime, or of data that it knows, may be touched then.
bool is_forked_from_runtime() noexcept;

/// A runtime of this process uses CUDA or OpenCL, whose drivers are of no use in children of a fork, for good.
void note_driver_use() noexcept;
/// Whether this process is the child of a fork of one that used them.
bool drivers_are_parents() noexcept;

/// The calling thread runs the program's exit handlers, and ends the runtime. Other threads are not to die of what they
/// miss.
void note_exit() noexcept;

} // namespace skelrt::detail
