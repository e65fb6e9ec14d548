// SPDX-License-Identifier: BSD-3-Clause
#include "src/farm/started_run.hpp"

#include "src/farm/pool.hpp"
#include "src/program/place_text.hpp"
#include "src/runtime/log.hpp"
#include "src/runtime/visit.hpp"

#include <skelrt/item_error.hpp>

#include <fmt/format.h>

namespace skelrt::detail
{

void started_run::wait() noexcept
{
    if (done()) return;
    const item_thread me(item_pool::get());
    for (std::uint32_t seen = changes.load(); !done(); seen = changes.load()) help_or_sleep(*this, seen);
}

void started_run::begin(std::size_t items)
{
    item_pool& pool = item_pool::get();
    engine* const e = engine::current();
    const bool may_be_episode = is_outermost() && !pool.is_sequential() && items != 1 && !done(); // done: of no items
    if (e && may_be_episode) episode_.begin(*e, title_, items, shared_way());
    if (!pool.is_sequential()) return pool.offer(shared_from_this());
    while (run_some()) {}
}

void started_run::warn_of(const std::exception_ptr& what) const noexcept
{
    try {
        if (what) std::rethrow_exception(what);
    } catch (const cancelled&) { // somebody wanted that
    } catch (const std::exception& e) {
        log_warning("nobody asked for what went wrong: {}", e.what());
    } catch (...) {
        log_warning("{}: nobody asked for what went wrong", title_);
    }
}

void require_may_wait(const char* what)
{
    if (inside_task())
        throw error(fmt::format("{}: called from inside a user function or task, where nothing may wait", what));
}

std::string title_of(const caller& where, const char* kind, const std::string& name)
{
    return fmt::format("{}{}{}{}", place_text(where), kind, name.empty() ? "" : " ", name);
}

} // namespace skelrt::detail
