// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/visit.hpp"

#include "schedulers/tsan_order.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <linux/membarrier.h>
#include <pthread.h>
#include <starpu.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace skelrt::detail
{

namespace
{

using namespace std::chrono_literals;

std::atomic<seat*> seats{nullptr};

seat& take_seat() noexcept
{
    for (seat* s = seats.load(std::memory_order_acquire); s; s = s->next)
        if (!s->taken.load(std::memory_order_relaxed) && !s->taken.exchange(true, std::memory_order_acquire)) return *s;
    auto* s = new seat;
    s->next = seats.load(std::memory_order_relaxed);
    while (!seats.compare_exchange_weak(s->next, s, std::memory_order_release, std::memory_order_relaxed)) {}
    return *s;
}

std::atomic<bool> forked{false};
std::atomic<bool> uses_drivers{false}, drivers_lost{false};

void after_fork() noexcept
{
    if (life::current.load(std::memory_order_acquire)) forked.store(true, std::memory_order_relaxed);
    if (uses_drivers.load(std::memory_order_relaxed)) drivers_lost.store(true, std::memory_order_relaxed);
    life::leave_to_parent();
}

std::atomic<bool> exiting{false};
std::atomic<std::thread::id> exiting_thread;

/// Another thread ends the program, which this one is not to end first, by an exception that nobody catches. Not for
/// ever: an exit handler may wait for this thread.
void let_program_exit()
{
    constexpr auto long_enough = 5s;
    if (exiting.load(std::memory_order_acquire) && exiting_thread.load() != std::this_thread::get_id())
        std::this_thread::sleep_for(long_enough);
}

[[noreturn]] void throw_no_runtime(const char* what)
{
    if (is_forked_from_runtime())
        throw error(fmt::format("{}: this process was forked from one whose sk::runtime lives, and has neither its "
                                "threads nor its devices; start the runtime after the fork, or let the child exec",
                                what));
    if (life::current.load(std::memory_order_acquire))
        throw error(
            fmt::format("{}: the sk::runtime is about to end in another thread; let the threads that make calls "
                        "end first",
                        what));
    throw error(
        fmt::format("{}: no sk::runtime lives; create one at the start of main and keep it until the last call", what));
}

[[noreturn]] void throw_inside_task(const char* what)
{
    throw error(fmt::format("{}: called from inside a user function or task, where nothing may wait; call skeletons "
                            "from the program's own threads only",
                            what));
}

} // namespace

constinit thread_local seat* visit::mine = nullptr;
std::atomic<bool> visit::need_fences{true};

/// Gives the seat back with the thread.
struct seat_keeper {
    ~seat_keeper()
    {
        if (visit::mine) visit::mine->taken.store(false, std::memory_order_release);
        visit::mine = nullptr;
    }
};

seat& visit::sit_down() noexcept
{
    mine = &take_seat();
    mine->of_worker = life::current.load(std::memory_order_acquire) &&
                      starpu_worker_get_id() >= 0; // and for as long as the thread lives
    thread_local seat_keeper keeper;
    static_cast<void>(&keeper);
    return *mine;
}

void patient_visit::wait_for_end() noexcept
{
    while (!visit_->is_within_another() && life::ending.load(std::memory_order_acquire) && !visit_->is_of_task()) {
        visit_.reset();
        std::this_thread::sleep_for(100us);
        visit_.emplace();
    }
}

void short_visit::refuse(const char* what)
{
    if (runtime_) throw_inside_task(what);
    visit_.leave(); // the runtime's end would wait for it
    let_program_exit();
    throw_no_runtime(what);
}

void short_visit::goes_on(const char* what) const
{
    if (starpu_task_get_current()) throw_inside_task(what);
}

bool inside_task() noexcept
{
    if (inside_user_code()) return true;
    // Callbacks of tasks that run nowhere may be those of the thread that submits them.
    return life::current.load(std::memory_order_acquire) && (starpu_worker_get_id() >= 0 || starpu_task_get_current());
}

void prepare_visits() noexcept
{
    static const bool agreed =
        !order_is_watched() && syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
    if (agreed) visit::need_fences.store(false);
    [[maybe_unused]] static const int heard = pthread_atfork(nullptr, nullptr, &after_fork);
}

void wait_for_visitors() noexcept
{
    if (!visit::need_fences.load(std::memory_order_relaxed))
        syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    for (const seat* s = seats.load(std::memory_order_acquire); s; s = s->next)
        while (s != visit::mine && s->visits.load(std::memory_order_acquire) > 0) std::this_thread::sleep_for(50us);
}

bool is_forked_from_runtime() noexcept { return forked.load(std::memory_order_relaxed); }

void note_driver_use() noexcept { uses_drivers.store(true, std::memory_order_relaxed); }

bool drivers_are_parents() noexcept { return drivers_lost.load(std::memory_order_relaxed); }

void note_exit() noexcept
{
    exiting_thread.store(std::this_thread::get_id());
    exiting.store(true, std::memory_order_release);
}

} // namespace skelrt::detail
