#include "src/tasks/task_end.hpp"

#include "src/data/faults/unread.hpp"
#include "src/program/place_text.hpp"
#include "src/runtime/log.hpp"
#include "src/runtime/running.hpp"

#include <fmt/format.h>

#include <new>

namespace skelrt::detail
{

void task_end::wait() noexcept
{
    if (running* const r = running::current()) r->order.flush();
    progress_.wait();
}

std::exception_ptr task_end::error() noexcept
{
    if (!done() || !fault_) return nullptr;
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

void task_end::task_done() noexcept
{
    progress_.task_done(nullptr);
    if (progress_.done()) tell_of_end();
}

} // namespace skelrt::detail
