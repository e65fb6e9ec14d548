#include "src/lowering/pending.hpp"

#include "src/config.hpp"
#if SKELRT_HAVE_CUDA
#include "src/jit/cuda_queue.hpp"
#endif
#include "src/lowering/make_tasks.hpp"
#include "src/lowering/tasks.hpp"
#include "src/runtime/flush.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <cstring>
#include <mutex>

namespace skelrt::detail
{

void submission_lock::unlock() noexcept
{
    mutex_.unlock();
    send_due();
}

void submission_lock::send_due() noexcept
{
    for (looks_.fetch_add(1); waiting_.due() && mutex_.try_lock(); looks_.fetch_add(1)) {
        if (waiting_.due()) waiting_.send();
        mutex_.unlock();
    }
}

void pending_calls::start(engine& e, std::size_t most_calls) noexcept
{
    lock_ = &e.submission;
    most_calls_ = most_calls;
}

bool pending_calls::due() const noexcept
{
    const int worker = waits_for_.load(std::memory_order_acquire);
    return worker != nobody && under_way_[static_cast<std::size_t>(worker)].load(std::memory_order_acquire) == 0;
}

void pending_calls::add(const target& where, task_group& g, std::span<const handle_use> used,
                        starpu_data_handle_t scratch, double expected_us)
{
    if (next_ && &next_->where() != &where) send();
    if (!next_) next_ = std::make_unique<batch>(*this, where);
    next_->add(g, used, scratch, expected_us);
    waits_for_.store(where.worker, std::memory_order_release);
    if (next_->full(most_calls_) || due()) send();
}

void pending_calls::send() noexcept
{
    if (!next_) return;
    batch& b = *next_.release(); // after_batch() has it
    under_way_[static_cast<std::size_t>(b.where().worker)].fetch_add(1, std::memory_order_relaxed);
    starpu_task* const t = b.make_task();
    const int refused = submit_task(t);
    waits_for_.store(nobody, std::memory_order_release); // not before: who sees it relies on the task's being there
    if (refused == 0) return;
    discard(t);
    refuse(b, refused);
    under_way_[static_cast<std::size_t>(b.where().worker)].fetch_sub(1, std::memory_order_relaxed);
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
    under_way_[static_cast<std::size_t>(where.worker)].fetch_sub(1, std::memory_order_acq_rel);
    lock_->send_due();
}

void flush(engine& e) noexcept
{
    if (e.pending().any()) {
        const std::lock_guard lock(e.submission);
        e.pending().send();
    }
    starpu_do_schedule();
}

void flush_locked(engine& e) noexcept { e.pending().send(); }

void wait_for_all_tasks(engine& e) noexcept
{
    flush(e);
    starpu_task_wait_for_all();
#if SKELRT_HAVE_CUDA
    for (const target& t : e.targets()) // tasks may have left kernels running
        if (t.kind == device::cuda) wait_for_running(starpu_worker_get_devid(t.worker));
#endif
}

} // namespace skelrt::detail
