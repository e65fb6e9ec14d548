// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/run/batch.hpp"

#include "src/lowering/engine.hpp"
#include "src/lowering/registry.hpp"
#include "src/lowering/run/make_tasks.hpp"
#include "src/lowering/run/tasks.hpp"
#include "src/lowering/run/trace.hpp"
#include "src/lowering/summary/call_summary.hpp"
#include "src/lowering/summary/traced_task.hpp"

#include "src/config.hpp"
#if SKELRT_HAVE_CUDA
#include "src/jit/timing/kernel_span.hpp"
#endif

#include <algorithm>

namespace skelrt::detail
{

namespace
{

/// Of the task's time each call has its part by elements.
double part_of(const task_group& g, const batch& b) noexcept
{
    double elements = 0;
    for (const task_group* one : b.groups()) elements += static_cast<double>(one->elements);
    return elements > 0 ? static_cast<double>(g.elements) / elements : 0;
}

void sum_up(const batch& b) noexcept
{
    call_summary* const s = engine::current()->summary();
    if (!s) return;
    for (const task_group* g : b.groups()) s->add_task(g->owner->what().name, g->number == 0, part_of(*g, b));
}

#if SKELRT_HAVE_CUDA
/// Its calls for the timeline, one behind the other.
std::vector<spanned_record> spanned(const batch& b)
{
    std::vector<spanned_record> all;
    for (const task_group* g : b.groups())
        all.push_back({traced_task::of(g->owner->what().name, g->owner->number, g->number, g->elements, g->traced_ns),
                       part_of(*g, b)});
    return all;
}
#endif

/// After the task's data is released. What waited behind it is sent last: whoever waits for its results goes on first.
void after_batch(void* argument) noexcept
{
    const std::unique_ptr<batch> b(static_cast<batch*>(argument));
    sum_up(*b);
    for (task_group* g : b->groups()) {
        submitted_call& c = *g->owner;
        trace_task(*g);
        if (b->span) traced_task::ends_kernels();
        else traced_task::ended(c.what().name, c.number, g->number, g->elements, g->traced_ns, b->left != nullptr);
    }
#if SKELRT_HAVE_CUDA
    if (b->span) record_kernels(b->span, spanned(*b));
#endif
    submitted_call::tasks_done(b->groups(), b->left);
    b->sender().ended(b->where());
}

} // namespace

void batch::add(task_group& g, std::span<const handle_use> used, starpu_data_handle_t scratch, double expected_us)
{
    constexpr std::size_t few = 16;
    groups_.reserve(groups_.size() + 1);
    std::array<std::uint32_t, few> small;
    std::vector<std::uint32_t> large(used.size() > few ? used.size() : 0);
    const std::span<std::uint32_t> to = used.size() > few ? std::span(large) : std::span(small).first(used.size());
    for (std::size_t i = 0; i < used.size(); ++i) to[i] = use(used[i].handle, used[i].mode());
    point(g, to);
    if (scratch) g.scratch_handle = static_cast<int>(use(scratch, STARPU_SCRATCH));
    groups_.push_back(&g);
    hint_.elements += g.elements;
    hint_.expected_us = groups_.size() == 1 ? expected_us : hint_.expected_us + expected_us;
}

std::uint32_t batch::use(starpu_data_handle_t handle, starpu_data_access_mode mode)
{
    const std::size_t before = data_.size();
    const std::uint32_t number = data_.add(handle, mode);
    if (where_.memory > 0 && data_.size() > before) bytes_ += starpu_data_get_size(handle);
    return number;
}

bool batch::full(std::size_t most_calls) const noexcept
{
    constexpr std::size_t most_handles = 64, part_of_memory = 16;
    return groups_.size() >= most_calls || data_.size() >= most_handles ||
           (where_.memory > 0 && bytes_ >= where_.memory / part_of_memory);
}

void batch::point(task_group& g, std::span<const std::uint32_t> to) const
{
    const auto follow = [&](std::vector<slot_ref>& refs) {
        for (slot_ref& r : refs)
            if (r.handle != slot_ref::uniform && r.handle != slot_ref::host) r.handle = to[r.handle];
    };
    follow(g.refs);
    follow(g.result_refs);
    follow(g.hood_refs);
}

starpu_task* batch::make_task()
{
    starpu_task* t = starpu_task_create();
    t->cl = &batch_codelet();
    t->cl_arg = this;
    t->cl_arg_size = sizeof *this;
    t->name = groups_.size() == 1 ? groups_[0]->owner->what().name.c_str() : "several calls";
    t->callback_func = &after_batch;
    t->callback_arg = this;
    const auto [handles, modes] = room_for_handles(*t, data_.size());
    std::ranges::copy(data_.handles(), handles);
    std::ranges::copy(data_.modes(), modes);
    hint_.worker = where_.worker;
    t->sched_data = &hint_;
    return t;
}

} // namespace skelrt::detail
