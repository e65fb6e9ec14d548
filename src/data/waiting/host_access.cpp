// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/faults/foreign_faults.hpp"
#include "src/data/faults/races.hpp"
#include "src/data/faults/unwritten.hpp"
#include "src/data/managed.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/data/memory/kept.hpp"
#include "src/data/parts/arrivals.hpp"
#include "src/data/parts/open_parts.hpp"
#include "src/data/parts/part_table.hpp"
#include "src/data/parts/rectangle_handle.hpp"
#include "src/data/release.hpp"
#include "src/data/waiting/watching.hpp"
#include "src/model/knowledge.hpp"
#include "src/program/place_text.hpp"
#include "src/program/program.hpp"
#include "src/runtime/cores/compute_right.hpp"
#include "src/runtime/log.hpp"
#include "src/runtime/running.hpp"
#include "src/runtime/visit.hpp"
#include "src/trace/timeline.hpp"

#include <skelrt/error.hpp>
#include <skelrt/view.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

/// How the host gets at the elements of a container, and how calls get them back.
namespace skelrt::detail
{

namespace
{

[[noreturn]] void throw_view_open(const storage& s, access how, const caller& where)
{
    throw error(fmt::format(
        "{}sk::host: a view of this container of {} is open that {}, and {}; let it go out of scope first, or "
        "use one view for both: auto h = sk::host(x); std::copy(h.begin(), h.end(), ...). Views that "
        "only read (sk::host_read, sk::host of a const container) do not exclude each other",
        place_text(where),
        s.whole_rows ? fmt::format("{} x {} elements", s.shape_rows, s.shape_cols)
                     : fmt::format("{} elements", s.shape_cols),
        s.writers > 0 ? "may write" : "reads", how == access::read ? "this one reads" : "this one may write"));
}

void open_view(storage& s, access how, const caller& where)
{
    if (how == access::read) {
        if (s.writers > 0) throw_view_open(s, how, where);
        ++s.readers;
    } else {
        if (s.writers > 0 || s.readers > 0) throw_view_open(s, how, where);
        ++s.writers;
    }
}

void close_view(storage& s, access how) noexcept
{
    if (how == access::read) --s.readers;
    else --s.writers;
}

starpu_data_access_mode mode_of(access how)
{
    switch (how) {
    case access::read:
        return STARPU_R;
    case access::write:
        return STARPU_W;
    default:
        return STARPU_RW;
    }
}

void pin_what_comes_home(managed_state& m)
{
    running& here = *running::current();
    if (!here.devices().has_cuda()) return;
    const std::lock_guard lock(here.order);
    if (std::ranges::any_of(m.valid, [](node_mask v) { return !(v >> STARPU_MAIN_RAM & 1); })) pin_for_copies(m);
}

/// All tiles are asked for at once, in the order of submission: each travels as soon as its last writer is done.
void acquire_tiles(managed_state& m, access how)
{
    std::optional<falls_asleep> away;
    if (!m.is_idle()) away.emplace(); // calls that use it are under way
    if (how != access::write) pin_what_comes_home(m);
    static const std::string name = "wait for data in host memory";
    const traced_time traced(traced::wait, away ? &name : nullptr);
    const watching tiles(m, how);
    if (m.tile_count() == 1) {
        starpu_data_acquire_on_node(m.tiles[0], STARPU_MAIN_RAM, mode_of(how));
    } else {
        arrivals all;
        all.ask(m.tiles, STARPU_MAIN_RAM, mode_of(how));
        all.wait();
    }
    away.reset();
    running& here = *running::current();
    usage& learnt = here.learnt.usage;
    const std::lock_guard lock(here.order); // released before `tiles` takes it again
    const node_mask home = node_mask{1} << STARPU_MAIN_RAM;
    if (how != access::write && m.producer != m.nobody) learnt.note_home(m.producer, true);
    if (m.run.calls > 0 && m.run.free) learnt.note_run(m.run.first, m.run.calls);
    m.producer = m.nobody;
    m.run = {m.nobody, 0};
    for (node_mask& v : m.valid) v = how == access::read ? v | home : home;
    if (how != access::read) {
        ++m.version;
        m.moves = {};
    }
    ++m.acquired;
}

/// The calling thread's part of an access ends; at the runtime's end the rest has been done already.
void end_access(managed_state& m) noexcept
{
    std::lock_guard lock(running::current()->order);
    if (m.acquired == 0) return;
    release_tiles(m);
    --m.acquired;
}

std::mutex late_guard;
std::vector<managed_state*> late_views; ///< whose host views ended in tasks; there is one for each
std::atomic<bool> any_late_views{false};

/// Tasks may not wait for the lock.
void end_access_later(managed_state& m) noexcept
{
    const std::lock_guard lock(late_guard);
    late_views.push_back(&m);
    any_late_views.store(true, std::memory_order_release);
}

} // namespace

void end_late_accesses() noexcept
{
    release_late_parts();
    if (!any_late_views.load(std::memory_order_acquire) || inside_task()) return;
    std::vector<managed_state*> all;
    {
        const std::lock_guard lock(late_guard);
        all.swap(late_views);
        any_late_views.store(false, std::memory_order_relaxed);
    }
    if (!running::current()) return; // its end does it
    for (managed_state* m : all) end_access(*m);
}

void release_tiles(managed_state& m) noexcept
{
    const auto release_one = [](starpu_data_handle_t h) { starpu_data_release_on_node(h, STARPU_MAIN_RAM); };
    std::ranges::for_each(m.tiles, release_one);
    if (!m.parts) return;
    for (const atom_id a : m.parts->all()) release_one((*m.parts)[a].handle); // they were tiles, and nobody cut them
}

namespace
{

/// Here, for the error of a part becomes that of all when parts give way to tiles.
void wait_for_parts(managed_state& m)
{
    bool any = false;
    {
        const std::lock_guard lock(running::current()->order);
        any = m.parts != nullptr;
    }
    if (any) wait_for(*m.owner, {0, m.owner->rows, m.owner->cols, m.owner->cols, 1});
}

/// Throws the error of the call that should have written the data.
void acquire_managed(managed_state& m, access how)
{
    const call_visit visit("sk::host");
    running& e = visit.runtime();
    if (how != access::write) wait_for_parts(m);
    {
        std::lock_guard lock(e.order);
        if (m.parts) give_tiles_back(m);
        if (how == access::write)
            heal(m, e.order.calls_made + 1); // every element is written: what failed before is gone
    }
    acquire_tiles(m, how);
    e.order.note_wait(m.owner);
    if (std::exception_ptr what = find_fault(m, UINT64_MAX)) {
        end_access(m);
        throw_noted(what);
    }
}

void check_races_of_host(storage& s, access how, const caller& where)
{
    const std::string by = where.line > 0 ? place_text(where) + "sk::host" : "the host";
    check_races(s, all_of(s), how == access::read ? data_use::reads : data_use::writes, by);
}

} // namespace

void acquire_unmanaged(storage& s, access how)
{
    if (!inside_task()) {
        const visit here;
        if (running* const e = here.runtime()) e->order.note_wait(&s);
    }
    noted_error& left = host_part(s).left_fault;
    if (left && how != access::write) throw_noted(left);
    if (left) left = nullptr;
}

managed_state* acquire(storage& s, access how, const caller& where)
{
    const bool by_view = where.line > 0;
    if (by_view && how == access::read && is_all_unwritten(s))
        throw error(fmt::format("{}sk::host reads a container of {} elements that nobody has written "
                                "(SKELRT_CHECK=unwritten)",
                                place_text(where), s.count()));
    if (s.watched) check_races_of_host(s, how, where);
    open_view(s, how, where);
    if (how == access::write) host_part(s).foreign.reset(); // on all ranks
    managed_state* const m = s.managed.load(std::memory_order_acquire);
    try {
        if (m) acquire_managed(*m, how);
        else acquire_unmanaged(s, how);
    } catch (...) {
        close_view(s, how);
        throw;
    }
    return m;
}

void release(storage& s, access how, managed_state* acquired) noexcept
{
    // Not managed then: nothing to release now. Not managed any more: the runtime's end has released it.
    if (acquired && !is_forked_from_runtime()) {
        const patient_visit visit;
        if (s.managed.load(std::memory_order_acquire) == acquired) {
            if (inside_task()) end_access_later(*acquired);
            else end_access(*acquired);
        }
    }
    close_view(s, how);
}

namespace
{

/// Who lets go of it in a task is not made to wait there, as elsewhere.
void tell_of_borrowed(const storage& s) noexcept
{
    if (s.borrowed && s.managed.load(std::memory_order_acquire))
        log_error("a container of {} elements on borrowed memory ends inside a user function or task, which may not "
                  "wait: calls may use the memory until runtime::wait() returns",
                  s.count());
}

} // namespace

void part_with(storage& s) noexcept
{
    if (s.watched) report_races_at_end(s);
    if (!s.borrowed && host_part(s).held_by_calls.load(std::memory_order_acquire) == 0) return;
    if (inside_task()) return tell_of_borrowed(s);
    const patient_visit visit;
    if (!visit.runtime()) return;
    managed_state* const m = s.managed.load(std::memory_order_acquire);
    if (m && s.borrowed && !are_parts_held(s)) {
        // Calls may still read it. Who has a view open keeps the memory, too, and would be waited for in vain.
        const bool viewed = s.readers > 0 || s.writers > 0;
        if (!is_written_as_a_whole(s)) { // else the view has all of it
            acquire_tiles(*m, viewed ? access::read : access::read_write);
            end_access(*m);
        }
        if (!viewed) unpin_storage(s);
    }
    reap();
    keep_while_calls_use(s);
}

} // namespace skelrt::detail
