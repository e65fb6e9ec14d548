#include "src/tasks/task_end.hpp"

#include "src/data/faults/unread.hpp"
#include "src/runtime/log.hpp"
#include "src/runtime/running.hpp"

#include <skelrt/item_error.hpp>

#include <fmt/format.h>

#include <utility>

namespace skelrt::detail
{

task_end::~task_end()
{
    if (told_ || !fault_) return;
    try {
        std::rethrow_exception(fault_);
    } catch (const cancelled&) { // somebody wanted that
    } catch (const std::exception& e) {
        log_warning("nobody asked for what went wrong: {}", e.what());
    } catch (...) {
        log_warning("{}: nobody asked for what went wrong", name_);
    }
}

void task_end::wait() noexcept
{
    if (running* const r = running::current()) r->order.flush();
    progress_.wait();
}

std::exception_ptr task_end::error() noexcept
{
    if (!done()) return nullptr;
    told_ = true;
    if (fault_) note_read(fault_);
    return fault_;
}

std::string task_end::title() const
{
    return where_.line > 0 ? fmt::format("{}:{}: {}", where_.file, where_.line, name_) : name_;
}

void task_end::set_fault(std::exception_ptr what, bool told) noexcept
{
    fault_ = std::move(what);
    told_ = told;
}

void task_end::task_done() noexcept
{
    progress_.task_done(nullptr);
    if (progress_.done()) tell_of_end();
}

} // namespace skelrt::detail
