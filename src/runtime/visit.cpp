#include "src/runtime/visit.hpp"

#include "schedulers/tsan_order.hpp"
#include "src/runtime/cores/team.hpp"
#include "src/runtime/life.hpp"

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

/// A thread's. Of threads that have ended they go to new ones; never destroyed.
struct alignas(64) seat {
    std::atomic<unsigned> visits{0};
    std::atomic<bool> taken{true};
    bool of_worker = false;
    seat* next = nullptr;
};

namespace
{

using namespace std::chrono_literals;

std::atomic<seat*> seats{nullptr};
/// A visitor writes that it is here, and then looks whether the runtime still is; the end does it the other way round,
/// and the system makes all threads agree on the order, so that visitors need no fence of their own.
std::atomic<bool> visitors_need_fences{true};
/// Of few bytes, and asked by every call: found without the loader's help.
[[gnu::tls_model("initial-exec")]] thread_local seat* mine = nullptr;

/// Gives the seat back with the thread.
struct seat_keeper {
    ~seat_keeper()
    {
        if (mine) mine->taken.store(false, std::memory_order_release);
        mine = nullptr;
    }
};

seat& take_seat() noexcept
{
    for (seat* s = seats.load(std::memory_order_acquire); s; s = s->next)
        if (!s->taken.load(std::memory_order_relaxed) && !s->taken.exchange(true, std::memory_order_acquire)) return *s;
    auto* s = new seat;
    s->next = seats.load(std::memory_order_relaxed);
    while (!seats.compare_exchange_weak(s->next, s, std::memory_order_release, std::memory_order_relaxed)) {}
    return *s;
}

[[gnu::noinline]] seat& sit_down() noexcept
{
    mine = &take_seat();
    mine->of_worker = life::current.load(std::memory_order_acquire) &&
                      starpu_worker_get_id() >= 0; // and for as long as the thread lives
    thread_local seat_keeper keeper;
    static_cast<void>(&keeper);
    return *mine;
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

} // namespace

visit::visit() noexcept : seat_(mine)
{
    if (!seat_) [[unlikely]]
        seat_ = &sit_down();
    seat_->visits.store(seat_->visits.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if (visitors_need_fences.load(std::memory_order_relaxed)) std::atomic_thread_fence(std::memory_order_seq_cst);
    else std::atomic_signal_fence(std::memory_order_seq_cst);
}

visit::~visit() { leave(); }

void visit::leave() noexcept
{
    if (!seat_) return;
    seat_->visits.store(seat_->visits.load(std::memory_order_relaxed) - 1, std::memory_order_release);
    seat_ = nullptr;
}

bool visit::is_within_another() const noexcept { return seat_->visits.load(std::memory_order_relaxed) > 1; }

running* visit::runtime() const noexcept
{
    return is_within_another() ? life::current.load(std::memory_order_acquire)
                               : life::for_visitors.load(std::memory_order_acquire);
}

bool visit::is_of_task() const noexcept { return seat_->of_worker || inside_user_code(); }

patient_visit::patient_visit() noexcept
{
    while (true) {
        visit_.emplace();
        if (visit_->is_within_another() || !life::ending.load(std::memory_order_acquire) || visit_->is_of_task())
            return;
        visit_.reset();
        std::this_thread::sleep_for(100us);
    }
}

call_visit::call_visit(const char* what) : runtime_(visit_.runtime())
{
    if (!runtime_) {
        visit_.leave(); // the runtime's end would wait for it
        let_program_exit();
        throw_no_runtime(what);
    }
    if (visit_.is_of_task() || starpu_task_get_current()) // inside_task(), sooner
        throw error(
            fmt::format("{}: called from inside a user function or task, where nothing may wait; call skeletons "
                        "from the program's own threads only",
                        what));
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
    if (agreed) visitors_need_fences.store(false);
    [[maybe_unused]] static const int heard = pthread_atfork(nullptr, nullptr, &after_fork);
}

void wait_for_visitors() noexcept
{
    if (!visitors_need_fences.load(std::memory_order_relaxed))
        syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    for (const seat* s = seats.load(std::memory_order_acquire); s; s = s->next)
        while (s != mine && s->visits.load(std::memory_order_acquire) > 0) std::this_thread::sleep_for(50us);
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
