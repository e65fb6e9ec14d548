// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/run/pending.hpp"

#include "src/data/managed.hpp"
#include "src/lowering/run/make_tasks.hpp"
#include "src/lowering/run/tasks.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace skelrt::detail
{

namespace
{

template <class Counts>
auto& at(Counts& counts, int worker) noexcept
{
    return counts[static_cast<std::size_t>(worker)];
}

} // namespace

void pending_calls::start(submission_order& order, const std::vector<target>& targets, std::size_t most_calls)
{
    order_ = &order;
    for (const target& t : targets) workers_.push_back(t.worker);
    most_calls_ = most_calls;
}

bool pending_calls::is_due(int worker) const noexcept
{
    return at(wait_for_, worker).load(std::memory_order_acquire) > 0 &&
           at(under_way_, worker).load(std::memory_order_acquire) == 0;
}

bool pending_calls::due() const noexcept
{
    return any() && std::ranges::any_of(workers_, [&](int w) { return is_due(w); });
}

pending_calls::iterator pending_calls::of(const program& by) noexcept
{
    return std::ranges::find(waiting_, &by, &waiting_batch::by);
}

pending_calls::waiting_batch& pending_calls::batch_for(const program& by, const target& where)
{
    if (const iterator mine = of(by); mine != waiting_.end()) {
        if (&mine->calls->where() == &where) return *mine;
        send(mine);
    }
    waiting_batch& fresh =
        waiting_.emplace_back(&by, ++last_number_, std::make_unique<batch>(*this, where), by.wishes.priority);
    waiting_count_.fetch_add(1, std::memory_order_release);
    at(wait_for_, where.worker).fetch_add(1, std::memory_order_release);
    return fresh;
}

void pending_calls::add(const program& by, const target& where, task_group& g, std::span<const handle_use> used,
                        starpu_data_handle_t scratch, double expected_us)
{
    const std::span<managed_state* const> data = g.owner->used();
    const iterator mine = of(by);
    const std::uint64_t own = mine == waiting_.end() ? 0 : mine->number;
    for (const managed_state* m : data)
        if (m->batch != own) send_batch(m->batch);
    waiting_batch& b = batch_for(by, where);
    try {
        b.calls->add(g, used, scratch, expected_us);
    } catch (...) { // it may know handles of the call, and should go before these do
        send_of(by);
        throw;
    }
    b.priority = std::max(b.priority, by.wishes.priority);
    for (managed_state* m : data) m->batch = b.number;
    if (b.calls->full(most_calls_) || is_due(where.worker)) send_of(by);
}

void pending_calls::send() noexcept
{
    while (!waiting_.empty()) send(waiting_.begin());
}

void pending_calls::send_of(const program& by) noexcept
{
    if (const iterator mine = of(by); mine != waiting_.end()) send(mine);
}

void pending_calls::send_batch(std::uint64_t number) noexcept
{
    const iterator one = std::ranges::find(waiting_, number, &waiting_batch::number);
    if (one != waiting_.end()) send(one);
}

void pending_calls::send_due() noexcept
{
    const auto due = [&](const waiting_batch& b) { return is_due(b.calls->where().worker); };
    for (iterator one; (one = std::ranges::find_if(waiting_, due)) != waiting_.end();) send(one);
}

void pending_calls::send(iterator one) noexcept
{
    batch& b = *one->calls.release(); // after_batch() has it
    const int priority = one->priority;
    waiting_.erase(one);
    const int worker = b.where().worker;
    const bool empty = b.groups().empty(); // its first call came to nothing
    at(under_way_, worker).fetch_add(1, std::memory_order_relaxed);
    int refused = 0;
    if (!empty) {
        starpu_task* const t = b.make_task();
        refused = submit_task(t, priority);
        if (refused != 0) discard(t);
    }
    // Not before: who sees it relies on the task's being there.
    at(wait_for_, worker).fetch_sub(1, std::memory_order_release);
    waiting_count_.fetch_sub(1, std::memory_order_release);
    if (refused == 0 && !empty) return; // the batch may be gone
    refuse(b, refused);
    at(under_way_, worker).fetch_sub(1, std::memory_order_relaxed);
    delete &b;
}

/// Whoever waits for the calls hears of it.
void pending_calls::refuse(const batch& b, int why) noexcept
{
    for (task_group* g : b.groups()) {
        g->owner->fail(std::make_exception_ptr(
            error(fmt::format("{}: StarPU accepts no task for it ({})", g->owner->what().name, std::strerror(-why)))));
        g->owner->task_done();
    }
}

void pending_calls::ended(const target& where) noexcept
{
    at(under_way_, where.worker).fetch_sub(1, std::memory_order_acq_rel);
    order_->send_due();
}

} // namespace skelrt::detail
