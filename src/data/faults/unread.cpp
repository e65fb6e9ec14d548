// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/faults/unread.hpp"

#include "src/runtime/log.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

namespace skelrt::detail
{

class unread_error
{
public:
    explicit unread_error(std::exception_ptr what) noexcept : what(std::move(what)) {}
    const std::exception_ptr what;
    std::atomic<bool> read{false};
};

namespace
{

std::mutex& guard = *new std::mutex; // never destroyed, like the errors: containers may go late
std::vector<std::weak_ptr<unread_error>>& all = *new std::vector<std::weak_ptr<unread_error>>;

void log_unread(const std::exception_ptr& what) noexcept
{
    try {
        std::rethrow_exception(what);
    } catch (const std::exception& e) {
        log_error("a call or task failed, and nobody has read or waited for what it should have written: {}", e.what());
    } catch (...) {
        log_error("a call failed by an exception that is no std::exception, and nobody has read or waited for what it "
                  "should have written");
    }
}

/// Null: nobody has noted it.
noted_error find(const std::exception_ptr& what)
{
    for (const auto& e : all)
        if (noted_error known = e.lock(); known && known->what == what) return known;
    return nullptr;
}

} // namespace

void log_if_unread::operator()(unread_error* e) const noexcept
{
    if (!e->read) log_unread(e->what);
    delete e;
}

noted_error note_error(const std::exception_ptr& what)
{
    const std::lock_guard lock(guard);
    if (noted_error known = find(what)) return known;
    std::erase_if(all, [](const auto& e) { return e.expired(); });
    noted_error fresh(new unread_error(what), log_if_unread{});
    all.push_back(fresh);
    return fresh;
}

const std::exception_ptr& exception_of(const noted_error& e) noexcept { return e->what; }

void note_read(const std::exception_ptr& what) noexcept
{
    noted_error known; // goes after the lock
    const std::lock_guard lock(guard);
    known = find(what);
    if (known) known->read = true;
}

void throw_noted(const std::exception_ptr& what)
{
    note_read(what);
    std::rethrow_exception(what);
}

void throw_noted(const noted_error& e)
{
    e->read = true;
    std::rethrow_exception(e->what);
}

} // namespace skelrt::detail
