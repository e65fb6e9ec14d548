// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/parts/open_parts.hpp"

#include "src/program/place_text.hpp"
#include "src/runtime/visit.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

namespace skelrt::detail
{

namespace
{

std::mutex guard; ///< of all that follows, and of what open parts hold
std::vector<open_part*> all;
std::vector<starpu_data_handle_t> late; ///< held by views that tasks have ended
std::atomic<bool> any_late{false};

void release(const std::vector<starpu_data_handle_t>& held) noexcept
{
    for (const starpu_data_handle_t h : held) starpu_data_release_on_node(h, STARPU_MAIN_RAM);
}

struct view_count {
    int readers = 0, writers = 0;
};
/// Of all of it. With the lock.
view_count views_of_all(const storage& s) noexcept
{
    view_count n{s.readers, s.writers};
    for (const open_part* p : all)
        if (p->of == &s) --(p->writes() ? n.writers : n.readers);
    return n;
}

/// `at`: where parts are told. With the lock.
bool is_in_the_way(const storage& s, rectangle open_part::*at, const rectangle& part, bool by_writer) noexcept
{
    const view_count whole = views_of_all(s);
    return whole.writers > 0 || (by_writer && whole.readers > 0) || std::ranges::any_of(all, [&](const open_part* p) {
               return p->of == &s && (by_writer || p->writes()) && overlap(p->*at, part);
           });
}

bool has_views(const storage& s) noexcept { return s.readers > 0 || s.writers > 0; }

} // namespace

bool try_open(open_part& p)
{
    const std::lock_guard lock(guard);
    if (is_in_the_way(*p.of, &open_part::where, p.where, p.writes())) return false;
    all.push_back(&p);
    ++(p.writes() ? p.of->writers : p.of->readers);
    return true;
}

void note_held(open_part& p, std::vector<starpu_data_handle_t> held)
{
    const std::lock_guard lock(guard);
    p.held = std::move(held);
}

void give_back(open_part& p) noexcept
{
    std::vector<starpu_data_handle_t> held;
    {
        const std::lock_guard lock(guard);
        held = std::exchange(p.held, {});
    }
    release(held);
}

void close(open_part& p) noexcept
{
    const bool in_task = inside_task();
    std::vector<starpu_data_handle_t> held;
    {
        const std::lock_guard lock(guard);
        std::erase(all, &p);
        --(p.writes() ? p.of->writers : p.of->readers);
        held = std::move(p.held);
        if (in_task && !held.empty()) {
            late.insert(late.end(), held.begin(), held.end());
            any_late.store(true, std::memory_order_release);
        }
    }
    if (!in_task && !is_forked_from_runtime()) release(held);
}

bool is_viewed(const storage& s, const rectangle& part, bool by_writer) noexcept
{
    if (!has_views(s)) return false;
    const std::lock_guard lock(guard);
    return is_in_the_way(s, &open_part::here, part, by_writer);
}

bool is_viewed_anywhere(const storage& s, const rectangle& part, bool by_writer) noexcept
{
    if (!has_views(s)) return false;
    const std::lock_guard lock(guard);
    return is_in_the_way(s, &open_part::where, part, by_writer);
}

bool is_read_as_a_whole(const storage& s) noexcept
{
    if (s.readers == 0) return false;
    const std::lock_guard lock(guard);
    return views_of_all(s).readers > 0;
}

bool is_written_as_a_whole(const storage& s) noexcept
{
    if (s.writers == 0) return false;
    const std::lock_guard lock(guard);
    return views_of_all(s).writers > 0;
}

bool are_parts_written(const storage& s) noexcept
{
    if (s.writers == 0) return false;
    const std::lock_guard lock(guard);
    return std::ranges::any_of(all, [&](const open_part* p) { return p->of == &s && p->writes(); });
}

bool is_held_for_writing(const storage& s, starpu_data_handle_t handle) noexcept
{
    if (s.writers == 0) return false;
    const std::lock_guard lock(guard);
    return std::ranges::any_of(all, [&](const open_part* p) {
        return p->of == &s && p->writes() && std::ranges::find(p->held, handle) != p->held.end();
    });
}

bool are_parts_held(const storage& s) noexcept
{
    if (!has_views(s)) return false;
    const std::lock_guard lock(guard);
    return std::ranges::any_of(all, [&](const open_part* p) { return p->of == &s && !p->held.empty(); });
}

void refuse_open_views(const storage& s, const caller& where, std::string_view call)
{
    if (s.readers > 0 || s.writers > 0 || are_parts_held(s))
        throw error(fmt::format("{}{} of {} elements: a host view of them is open; let it go out of scope first",
                                place_text(where), call, s.shape_rows * s.shape_cols));
}

void throw_part_open(const storage& s)
{
    throw error(fmt::format("a host view of part of a container of {} x {} elements is open, and this call, copy or "
                            "view uses all of it; let it go out of scope first",
                            s.shape_rows, s.shape_cols));
}

void release_late_parts() noexcept
{
    if (!any_late.load(std::memory_order_acquire) || inside_task()) return;
    std::vector<starpu_data_handle_t> ended;
    {
        const std::lock_guard lock(guard);
        ended.swap(late);
        any_late.store(false, std::memory_order_relaxed);
    }
    release(ended);
}

void release_parts_of(const storage& s) noexcept
{
    const std::lock_guard lock(guard);
    for (open_part* p : all)
        if (p->of == &s) release(std::exchange(p->held, {}));
}

} // namespace skelrt::detail
