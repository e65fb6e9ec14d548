// SPDX-License-Identifier: BSD-3-Clause
#include "src/tasks/task_end.hpp"

#include "src/data/faults/unread.hpp"
#include "src/program/place_text.hpp"
#include "src/runtime/log.hpp"
#include "src/runtime/order/when_over.hpp"
#include "src/runtime/running.hpp"

#include <fmt/format.h>

#include <new>
#include <utility>

namespace skelrt::detail
{

void task_end::wait() noexcept
{
    if (running* const r = running::current()) r->order.flush();
    progress_.wait();
}

std::exception_ptr task_end::error() noexcept
{
    if (!done()) return nullptr;
    if (!fault_) return progress_.fault();
    const std::exception_ptr& what = exception_of(fault_);
    note_read(what);
    return what;
}

std::string task_title(const kernel_record& what, const std::string& name, const caller& where)
{
    const std::string& known = name.empty() ? what.name() : name;
    const std::string task = known.starts_with('(') ? "sk::task" : "sk::task " + known;
    return place_text(where) + task;
}

void task_end::set_fault(const std::exception_ptr& what) noexcept
{
    try {
        fault_ = note_error(what);
    } catch (const std::bad_alloc&) {
        log_error("no memory to keep the error of a task for who asks for it");
    }
}

void task_end::task_done(std::shared_ptr<const running_work> left) noexcept
{
    progress_.task_done(std::move(left));
    if (progress_.done()) tell_of_end();
    else if (is_awaited()) begin_to_watch();
}

/// Nobody is told when kernels end: those who wait are told by who looks.
void task_end::begin_to_watch() noexcept
{
    const std::shared_ptr<const running_work> left = progress_.left();
    if (!left) return; // the last task's end will come here
    try {
        call_when_over(left, [self = shared_from_this()] { self->tell_of_end(); });
    } catch (const std::bad_alloc&) {
        left->wait();
        tell_of_end();
    }
}

} // namespace skelrt::detail
