// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/faults/foreign_faults.hpp"

#include "src/data/managed.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/data/parts/part_table.hpp"
#include "src/data/waiting/wait_for_all.hpp"
#include "src/runtime/running.hpp"
#include "src/runtime/visit.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <mutex>

namespace skelrt::detail
{

namespace
{

/// A program that never waits for its containers waits here now and then.
constexpr std::size_t most_windows = 256;

std::exception_ptr fault_in(const fault_window& w) noexcept { return w.log->find(w.from, w.before); }

void wait_for_calls()
{
    const call_visit visit("faults of other ranks' elements");
    wait_for_all_tasks(visit.runtime());
}

/// All calls are done: what has gone well until now stays well.
void drop_the_good(std::vector<fault_window>& windows)
{
    std::erase_if(windows, [](const fault_window& w) { return !fault_in(w); });
}

std::vector<fault_window> windows_of(const fault_state& s, std::uint64_t next_call)
{
    std::vector<fault_window> all = s.inherited;
    all.push_back({s.faults, s.healed, next_call});
    return all;
}

/// Of an error that tasks left with data which none knows any more.
fault_window window_of(const noted_error& left)
{
    auto log = std::make_shared<fault_log>();
    log->add(0, exception_of(left));
    return {std::move(log), 0, 1};
}

} // namespace

void gathered_faults::add(const fault_window& w)
{
    auto grown =
        all_ ? std::make_shared<std::vector<fault_window>>(*all_) : std::make_shared<std::vector<fault_window>>();
    const auto same = [&](const fault_window& known) { return known.log == w.log && known.from == w.from; };
    if (const auto known = std::ranges::find_if(*grown, same); known != grown->end()) {
        known->before = std::max(known->before, w.before);
    } else {
        if (grown->size() == most_windows) {
            wait_for_calls();
            drop_the_good(*grown);
        }
        grown->push_back(w);
    }
    all_ = std::move(grown);
}

void gathered_faults::add(const shared_windows& others)
{
    if (!others || others == all_) return;
    if (!all_) all_ = others;
    else
        for (const fault_window& w : *others) add(w);
}

void gathered_faults::add_foreign(storage& s) { add(host_part(s).foreign); }

void gathered_faults::add_own(storage& s)
{
    managed_state* const m = s.managed.load(std::memory_order_acquire);
    if (!m) {
        if (host_part(s).left_fault) add(window_of(host_part(s).left_fault));
        return;
    }
    std::vector<fault_window> own;
    {
        submission_order& order = running::current()->order;
        const std::lock_guard lock(order);
        if (m->parts) give_tiles_back(*m);
        own = windows_of(*m, order.calls_made + 1);
    }
    for (const fault_window& w : own) add(w);
}

void note_foreign_faults(storage& s, const gathered_faults& of, bool all_of_it)
{
    gathered_faults now;
    if (!all_of_it) now.add_foreign(s);
    now.add(of.all());
    host_part(s).foreign = now.all();
}

std::exception_ptr settled_fault(const shared_windows& of)
{
    if (!of) return nullptr;
    if (running::current()) wait_for_calls();
    for (const fault_window& w : *of)
        if (std::exception_ptr what = fault_in(w)) return what;
    return nullptr;
}

void check_foreign_faults(storage& s)
{
    shared_windows& known = host_part(s).foreign;
    if (const std::exception_ptr what = settled_fault(known)) throw_noted(what);
    known.reset();
}

} // namespace skelrt::detail
