// SPDX-License-Identifier: BSD-3-Clause
#include "src/farm/runnable.hpp"

#include "src/program/of_one_rank.hpp"
#include "src/program/strand.hpp"

#include <utility>

namespace skelrt::detail
{

namespace
{

thread_local runnable* inside = nullptr;
std::atomic<unsigned> all_inside{0};
std::atomic<std::uint64_t> last_number{0};

/// Those of the thread that starts a run, for its items.
call_wishes wishes_here(int priority)
{
    call_wishes here = program::current().wishes;
    here.priority = here.priority_of(priority);
    if (!here.run) here.run = std::make_shared<run_way>();
    return here;
}

unsigned depth_here() noexcept { return inside ? inside->rank().depth + 1 : 0; }

} // namespace

runnable::runnable(int priority)
    : rank_{program::current().wishes.priority_of(priority), depth_here(), ++last_number},
      outermost_(!program::current().wishes.run), wishes_(wishes_here(priority)),
      outer_(inside ? inside->stop_token() : std::stop_token{})
{
}

runnable* runnable::current() noexcept { return inside; }
unsigned runnable::threads_inside() noexcept { return all_inside.load(); }

bool runnable::run_some() noexcept
{
    if (!can_begin()) return false;
    program& mine = program::current();
    call_wishes before = std::exchange(mine.wishes, wishes_);
    std::optional<in_strand> nowhere;
    if (watches_races()) nowhere.emplace(nullptr);
    const of_one_rank own;
    runnable* const around = std::exchange(inside, this);
    if (!around) all_inside.fetch_add(1);
    const bool ran = run_next();
    if (!around) all_inside.fetch_sub(1);
    way().add(mine.take_work_seen());
    inside = around;
    mine.wishes = std::move(before);
    return ran;
}

void runnable::follow_outer() { follows_.emplace(outer_, canceller{this}); }

void runnable::set_done() noexcept
{
    done_.store(true, std::memory_order_release);
    note_change();
}

void runnable::note_change() noexcept
{
    changes.add(1);
    changes.wake();
}

} // namespace skelrt::detail
