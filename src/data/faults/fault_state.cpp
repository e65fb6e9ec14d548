// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/faults/fault_state.hpp"

#include <algorithm>
#include <new>

namespace skelrt::detail
{

void fault_log::add(std::uint64_t call, const std::exception_ptr& what) noexcept
{
    std::vector<fault> too_many; // an error that nobody will read is logged, not under the lock
    std::lock_guard lock(guard_);
    try {
        faults_.reserve(most + 1);
        too_many.reserve(1);
        const auto later = [call](const fault& f) { return f.call > call; };
        faults_.insert(std::ranges::find_if(faults_, later), {call, note_error(what)});
        if (faults_.size() > most) {
            too_many.push_back(std::move(faults_.back()));
            faults_.pop_back();
        }
    } catch (const std::bad_alloc&) {
        if (rest_) return;
        rest_ = what;
        rest_from_ = call;
    }
    any_.store(true, std::memory_order_release);
}

std::exception_ptr fault_log::find(std::uint64_t from, std::uint64_t before) noexcept
{
    if (empty()) return nullptr;
    std::lock_guard lock(guard_);
    for (const fault& f : faults_)
        if (f.call >= from && f.call < before) return exception_of(f.what);
    return rest_from_ < before ? rest_ : nullptr;
}

std::size_t fault_log::size() noexcept
{
    std::lock_guard lock(guard_);
    return faults_.size() + (rest_ ? 1 : 0);
}

std::exception_ptr find_fault(const fault_state& m, std::uint64_t before) noexcept
{
    if (std::exception_ptr what = m.faults->find(m.healed, before)) return what;
    for (const fault_window& w : m.inherited)
        if (std::exception_ptr what = w.log->find(w.from, w.before)) return what;
    return nullptr;
}

void inherit_faults(std::vector<fault_window>& into, const fault_state& from, std::uint64_t next_call)
{
    // Logs that nobody else holds get no more.
    const auto tells_nothing = [](const fault_window& w) {
        return w.log.use_count() == 2 && !w.log->find(w.from, w.before);
    };
    into.insert(into.end(), from.inherited.begin(), from.inherited.end());
    std::erase_if(into, tells_nothing);
    into.push_back({from.faults, from.healed, next_call});
}

void heal(fault_state& m, std::uint64_t call) noexcept
{
    m.healed = call;
    m.inherited.clear();
    if (m.faults->empty()) return;
    try {
        m.faults =
            std::make_shared<fault_log>(); // the old one is of those who read what it tells of, and goes with them
    } catch (const std::bad_alloc&) {      // it stays: its faults are of calls before this one
    }
}

} // namespace skelrt::detail
