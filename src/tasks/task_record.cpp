// SPDX-License-Identifier: BSD-3-Clause
#include "src/tasks/task_record.hpp"

#include "src/data/memory/host_storage.hpp"
#include "src/lowering/engine.hpp"
#include "src/program/as_item_error.hpp"
#include "src/program/program.hpp"
#include "src/runtime/memory/spare_objects.hpp"

#include <skelrt/item_error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace skelrt::detail
{

namespace
{

auto& spare()
{
    constexpr std::size_t most = 4096;                        // as a program may have in flight
    static auto& all = *new spare_objects<task_record, most>; // never destroyed: tasks may end late
    return all;
}

[[noreturn]] void skip(const task_end& end, const std::exception_ptr& why)
{
    note_read(why); // who hears of this one hears of that
    throw skipped(fmt::format("{} was skipped: {}", end.title(), text_of(why)));
}

} // namespace

task_record& task_record::make(kernel_record& k, std::shared_ptr<task_body> body, program& by)
{
    task_record* const spared = spare().take();
    task_record& made = spared ? *spared : *new task_record;
    made.what = &k;
    made.body = std::move(body);
    made.by = &by;
    made.holders_.store(1, std::memory_order_relaxed);
    return made;
}

void task_record::keep(const storage_ref& s)
{
    kept_.push_back(s);
    host_part(*s).held_by_calls.fetch_add(1, std::memory_order_relaxed);
}

void task_record::use(managed_state& m)
{
    if (std::ranges::find(used_, &m) != used_.end()) return;
    used_.push_back(&m);
    m.users->fetch_add(1, std::memory_order_relaxed);
}

void task_record::check_may_run()
{
    if (end->is_cancelled()) throw cancelled(fmt::format("{}: cancelled before it began", end->title()));
    for (const auto& need : needs)
        if (const std::exception_ptr what = need->error()) skip(*end, what);
    for (const fault_window& w : reads)
        if (const std::exception_ptr what = w.log->find(w.from, w.before)) skip(*end, what);
}

void task_record::fail_here() noexcept
{
    const std::exception_ptr now = std::current_exception();
    try {
        std::rethrow_exception(now);
    } catch (const skipped&) {
        fail(now);
    } catch (const cancelled&) {
        fail(now);
    } catch (...) {
        try {
            fail(as_item_error(end->title(), "task", {now}));
        } catch (...) {
            fail(now);
        }
    }
}

void task_record::fail(const std::exception_ptr& why) noexcept
{
    if (end->has_fault()) return;
    end->set_fault(why);
    for (const auto& log : writes) log->add(number, why);
}

void task_record::drop(std::shared_ptr<const running_work> left) noexcept
{
    end->task_done(std::move(left)); // who waits goes on first
    if (holders_.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
    if (engine* const e = engine::current()) e->order.calls_in_flight.end(1);
    by->task_ends();
    add_ended(ended_, ended_);
}

void task_record::clear() noexcept
{
    for (managed_state* m : used_) m->users->fetch_sub(1, std::memory_order_release);
    for (const storage_ref& s : kept_) host_part(*s).held_by_calls.fetch_sub(1, std::memory_order_relaxed);
    used_.clear(); // first: what is kept may go below, and they with it
    kept_.clear();
    body.reset();
    end.reset();
    parts.clear();
    listed.clear();
    privates.clear();
    needs.clear();
    reads.clear();
    writes.clear();
    hint = {};
    costs.clear();
    movable.clear();
    left.reset();
    timer = nullptr;
    started_ns = 0;
    traced_ns = 0;
    span = nullptr;
    constexpr std::size_t usual = 64; // more than most tasks to come need
    if (parts.capacity() > usual || reads.capacity() > usual || !spare().give(this)) delete this;
}

} // namespace skelrt::detail
