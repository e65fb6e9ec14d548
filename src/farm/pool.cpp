// SPDX-License-Identifier: BSD-3-Clause
#include "src/farm/pool.hpp"

#include "src/program/started_work.hpp"
#include "src/runtime/log.hpp"
#include "src/runtime/simulated.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace skelrt::detail
{

namespace
{

using namespace std::chrono_literals;

constexpr unsigned most_threads_a_core = 16; ///< beyond, items begin only on threads that wait for them
constexpr auto awake_for = 200us;
constexpr auto long_enough_for_an_end = 5s;
constexpr auto idle_for = 900ms; ///< then a thread ends

/// OpenMP in an item would start a thread for each core, beside the other items' threads.
void be_alone_in_openmp() noexcept
{
    using set_threads = void (*)(int);
    if (const auto set = reinterpret_cast<set_threads>(dlsym(RTLD_DEFAULT, "omp_set_num_threads"))) set(1);
}

/// Nobody waited for it, and part of it will never run.
void warn_of_end(const runnable& run)
{
    const auto* const started = dynamic_cast<const started_work*>(&run);
    if (started && run.was_cut_off())
        log_warning("{}: nobody waited for it, and the runtime ends: what has not begun is cancelled",
                    started->title());
}

} // namespace

item_pool& item_pool::get() noexcept
{
    static auto& pool = *new item_pool;
    return pool;
}

item_pool& item_pool::of(const running& r)
{
    item_pool& pool = get();
    pool.begin(r);
    return pool;
}

void item_pool::begin(const running& r)
{
    const lock held(guard_);
    if (runtime_ == r.number) return;
    sequential_ = simulated || r.wanted.sequential;
    shows_progress_ = r.wanted.tells_progress;
    cores_ = std::max(1u, r.devices().cores());
    runtime_ = r.number;
    calling_threads::all = this;
}

void item_pool::offer(const std::shared_ptr<runnable>& run) noexcept
{
    if (is_sequential() || run->offered.exchange(true)) return;
    {
        const lock held(guard_);
        if (!stopping_ && runtime_ != 0) {
            open_.insert(run);
            open_count_ = open_.size();
            offers_.fetch_add(1);
            wake_one();
            return;
        }
    }
    run->cancel(); // its waiter lives longer than the runtime
}

void item_pool::pauses() noexcept
{
    if (compute_right::in_use.fetch_sub(1) > cores() || open_count_.load() == 0) return;
    const lock held(guard_);
    wake_one();
}

/// With the lock. Whoever wakes up wakes the next, if there is more to do.
void item_pool::wake_one() noexcept
{
    if (open_.empty() || compute_right::in_use.load() >= cores()) return;
    if (asleep_ > 0) wakes_.add(1), wakes_.wake(1);
    else if (starting_ == 0) make_thread();
}

void item_pool::make_thread() noexcept
{
    if (threads_.size() >= std::size_t{most_threads_a_core} * cores()) return;
    try {
        let_go_of_ended();
        threads_.emplace_back([this] { work(); });
        ++starting_;
    } catch (const std::exception& e) {
        log_warning("farm: no more threads ({}); items run on those that there are", e.what());
    }
}

void item_pool::let_go_of_ended()
{
    for (const std::thread::id ended : std::exchange(ended_, {})) {
        const auto t = std::ranges::find(threads_, ended, &std::thread::get_id);
        t->join();
        threads_.erase(t);
    }
}

/// Those of which no item can begin now are offered again when some can.
std::shared_ptr<runnable> item_pool::first_that_can_begin()
{
    while (!open_.empty()) {
        const std::shared_ptr<runnable> run = *open_.begin();
        if (run->can_begin()) return run;
        open_.erase(open_.begin());
        run->offered = false;
        if (run->can_begin() && !run->offered.exchange(true)) open_.insert(run); // it changed meanwhile
        open_count_ = open_.size();
    }
    return nullptr;
}

/// Null: the thread is to end. Else the thread computes.
std::shared_ptr<runnable> item_pool::next(lock& held, held_core& core)
{
    while (true) {
        if (compute_right::in_use.load() < cores()) {
            if (auto run = first_that_can_begin()) {
                compute_right::in_use.fetch_add(1);
                wake_one();
                return run;
            }
        }
        if (stopping_) return nullptr;
        const std::uint32_t seen = wakes_.load();
        ++asleep_;
        held.unlock();
        core.leave();
        const bool woken = wait(seen);
        held.lock();
        --asleep_;
        if (!woken && open_.empty()) return nullptr;
    }
}

/// False: in vain, for long. Farms often follow each other, and a thread that sleeps may wake up on another's core.
bool item_pool::wait(std::uint32_t seen) noexcept
{
    if (wakes_.changes_within(seen, awake_for)) return true;
    wakes_.sleep_while(seen, idle_for);
    return wakes_.load() != seen;
}

void item_pool::work() noexcept
{
    pthread_setname_np(pthread_self(), "skelrt-item");
    be_alone_in_openmp();
    held_core core;
    lock held(guard_);
    --starting_;
    while (const std::shared_ptr<runnable> run = next(held, core)) {
        const unsigned seen = offers_.load();
        held.unlock();
        {
            const item_thread counted(*this, core);
            do core.take(); // if none is free, it shares one
            while (run->run_some() && offers_.load() == seen && compute_right::in_use.load() <= cores() &&
                   !core.is_wanted());
        }
        if (core.is_wanted()) core.leave();
        held.lock();
        compute_right::in_use.fetch_sub(1);
    }
    ended_.push_back(std::this_thread::get_id());
}

bool item_pool::stop() noexcept
{
    lock held(guard_);
    stopping_ = true;
    auto all = std::exchange(open_, {});
    open_count_ = 0;
    held.unlock();
    // By itself, or because somebody wanted that.
    const auto has_ended = [](const auto& run) { return run->done() || run->stop_token().stop_requested(); };
    std::erase_if(all, has_ended);
    for (const std::shared_ptr<runnable>& run : all) run->cancel(); // stop callbacks are the user's
    if (!others_have_ended()) return false;
    for (const std::shared_ptr<runnable>& run : all) warn_of_end(*run);
    held.lock();
    wakes_.add(1);
    wakes_.wake();
    std::vector<std::thread> ending = std::exchange(threads_, {});
    held.unlock();
    for (std::thread& t : ending)
        if (t.get_id() == std::this_thread::get_id()) t.detach(); // it is in an item that ends the program
        else t.join();
    held.lock();
    ended_.clear();
    runtime_ = 0;
    stopping_ = false;
    return true;
}

/// Who ends the program in an item waits for the others, but not for ever: they may wait for it.
bool item_pool::others_have_ended() const noexcept
{
    const auto until = std::chrono::steady_clock::now() + long_enough_for_an_end;
    while (runnable::threads_inside() > (has_calling_thread() ? 1u : 0u)) {
        if (has_calling_thread() && std::chrono::steady_clock::now() > until) return false;
        std::this_thread::sleep_for(100us);
    }
    return true;
}

item_thread::item_thread(item_pool& pool) noexcept : pool_(pool), is_ours_(!compute_right::current())
{
    if (!is_ours_) return;
    item_pool::computes();
    compute_right::set(this);
}

item_thread::item_thread(item_pool& pool, held_core& core) noexcept : pool_(pool), core_(&core), is_ours_(true)
{
    compute_right::set(this);
}

item_thread::~item_thread()
{
    if (!is_ours_) return;
    compute_right::set(nullptr);
    if (!core_) pool_.pauses();
}

void item_thread::sleeps() noexcept
{
    if (core_) core_->leave();
    pool_.pauses();
}

void item_thread::goes_on() noexcept
{
    item_pool::computes();
    if (core_) core_->take();
}

void help_or_sleep(runnable& run, std::uint32_t seen) noexcept
{
    constexpr auto awake = 100us; // results often come that soon, and so long takes waking up
    if (run.run_some()) return;
    if (run.done() || run.can_begin()) return;
    for (const auto until = std::chrono::steady_clock::now() + awake; std::chrono::steady_clock::now() < until;
         sched_yield())
        if (run.changes.load() != seen) return;
    const falls_asleep away;
    run.changes.wait_while(seen, 0us, [] { return false; });
}

} // namespace skelrt::detail
