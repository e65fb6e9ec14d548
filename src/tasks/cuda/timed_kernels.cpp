// SPDX-License-Identifier: BSD-3-Clause
#include "src/tasks/cuda/timed_kernels.hpp"

#include "src/lowering/engine.hpp"
#include "src/model/knowledge.hpp"

#include <utility>

namespace skelrt::detail
{

namespace
{

runner this_worker() { return {executor::cuda, engine::current()->devices().type_of_worker(starpu_worker_get_id())}; }

} // namespace

timed_kernels& timed_kernels::of_this_worker()
{
    thread_local timed_kernels mine;
    return mine;
}

timed_kernels::~timed_kernels()
{
    for (const run& r : left_) drop_cuda_timer(r.timer);
}

void timed_kernels::look() noexcept
{
    std::erase_if(left_, [](const run& r) {
        const bool done = r.kernels->done();
        if (done) observe(r);
        else if (r.how == timing::if_alone) drop_cuda_timer(r.timer);
        return done || r.how == timing::if_alone;
    });
}

void timed_kernels::observe(const run& r) noexcept
{
    const double us = read_cuda_timer(r.timer);
    if (us <= 0) return;
    r.what->note_us(us);
    engine::current()->learnt.models.observe(r.what->model(), this_worker(), static_cast<std::size_t>(r.work), us);
}

timing timed_kernels::wish_for(task_record& t) const
{
    if (!t.what->is_to_be_timed(device::cuda)) return timing::none;
    const auto known =
        engine::current()->learnt.models.measured(t.what->model(), this_worker(), static_cast<std::size_t>(t.work));
    return known && known->sure() ? timing::if_alone : timing::alone;
}

void timed_kernels::begin(void* stream) noexcept { timer_ = start_cuda_timer(stream); }
void timed_kernels::end(void* stream) noexcept { stop_cuda_timer(timer_, stream); }

void timed_kernels::keep(task_record& t, timing how)
{
    cuda_timer* const timer = std::exchange(timer_, nullptr);
    if (!timer) return;
    if (t.left) left_.push_back({timer, t.what, t.work, t.left, how});
    else t.timer = timer;
}

void timed_kernels::drop() noexcept { drop_cuda_timer(std::exchange(timer_, nullptr)); }

} // namespace skelrt::detail
