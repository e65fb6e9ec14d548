// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/memory/copy_bytes.hpp"
#include "src/lowering/caller/shares.hpp"
#include "src/lowering/decide/decide.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/place/views.hpp"
#include "src/lowering/run/batch.hpp"
#include "src/lowering/run/make_tasks.hpp"
#include "src/lowering/run/tasks.hpp"
#include "src/lowering/summary/traced_task.hpp"
#include "src/model/knowledge.hpp"
#include "src/model/machine/machine.hpp"
#include "src/program/now_ns.hpp"
#include "src/runtime/cores/team.hpp"

#include "codelets/cpu/cpu.hpp"
#include "codelets/cpu/pairs/pair_choice.hpp"
#include "codelets/cpu/sort.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace skelrt::detail
{

namespace
{

/// Work that one thread has done before the others have begun.
bool is_short(submitted_call& c, const task_group& g)
{
    constexpr double short_ns = 5000;
    const double element_ns = c.site().core.near(g.elements); // negative: not known
    return element_ns >= 0 && element_ns * static_cast<double>(g.elements) < short_ns;
}

/// Whether the call moves more than the caches hold, so that its results are not there when they are read, and waits
/// for memory rather than for arithmetic, which streaming would interrupt. Several steps of a stencil read what they
/// wrote; of colors, half of each line stays.
bool streams(const submitted_call& c)
{
    const engine& e = *engine::current();
    if (c.steps > 1 || c.color >= 0) return false;
    if (e.streams_from_bytes() == 0) return true;
    const auto bytes = static_cast<double>(c.what().bytes_per_element);
    if (static_cast<double>(c.rows * c.cols) * bytes <= e.streams_from_bytes()) return false;
    const auto machine = e.learnt.models.machine();
    const device_peaks* const cpu = machine->any("cpu");
    const double core_ns = c.site().core.near(c.rows * c.cols);
    return cpu && waits_for_memory(*cpu, bytes, core_ns, e.devices().cores());
}

/// What a thread hands to the team, and keeps the memory of. A user function that ends the program by std::exit
/// destroys its thread's, while others of the team read it: then it stays.
template <class T>
class lent
{
public:
    lent() = default;
    lent(const lent&) = delete;
    lent& operator=(const lent&) = delete;
    ~lent()
    {
        if (inside_user_code()) static_cast<void>(new (std::nothrow) std::vector<T>(std::move(all)));
    }
    std::vector<T> all;
};

/// A round after the other, each on all cores of the region.
void sort_in_shares(submitted_call& c, const work& w, unsigned cores, team_lead& lead)
{
    cpu::sorting sort(w, cores);
    const std::size_t threads = std::min(cores, static_cast<unsigned>(lead.members()));
    for (std::size_t round = 0; round < sort.rounds() && !c.fault(); ++round)
        lead.run([&](int thread, int) {
            const auto mine = static_cast<std::size_t>(thread);
            if (mine >= threads) return;
            try {
                const in_user_code mark;
                for (std::size_t k = mine; k < sort.shares(); k += threads) sort.run(round, k);
            } catch (...) {
                c.fail(std::current_exception());
            }
        });
}

/// Whether as good as all cores were there for it.
bool run_with_team(submitted_call& c, const task_group& g, const work& w, unsigned cores, team_lead* lead)
{
    if (is_short(c, g)) {
        run_alone(w);
        return true;
    }
    std::optional<team_lead> own;
    team_lead& led = lead ? *lead : own.emplace(leader::worker);
    if (w.what.kind == skeleton::sort) {
        sort_in_shares(c, w, cores, led);
    } else {
        const team_share how{c.site().core.near(g.elements), c.result_values, cores};
        if (const std::exception_ptr what = run_in_shares(w, how, led)) c.fail(what);
    }
    return led.has_most();
}

} // namespace

void run_alone(const work& w)
{
    const in_user_code mark;
    if (w.what.kind == skeleton::sort) return cpu::sort_alone(w);
    cpu::partials partials(w, 1);
    cpu::begin_with(w, 0, cpu::bytes_to_begin_with(w));
    cpu::run_share(w, partials, 0, 1);
    cpu::finish(w, partials, 1);
}

void run_group(void* buffers[], task_group& g, team_lead* lead) noexcept
{
    submitted_call& c = *g.owner;
    const traced_task traced(c.what().name, c.number, g.number, g.elements, g.team);
    try {
        if (std::exception_ptr what = c.operand_fault()) std::rethrow_exception(what);
        if (g.carry_handle >= 0 && c.fault()) return; // nothing to go on from
        static thread_local lent<slot_view> lent_views;
        static thread_local lent<hood_view> lent_hoods;
        std::vector<slot_view>& views = lent_views.all;
        std::vector<hood_view>& hoods = lent_hoods.all;
        const auto at = [&](std::uint32_t h) {
            return device_pointer{reinterpret_cast<void*>(STARPU_VECTOR_GET_PTR(buffers[h])), 0};
        };
        fill_views(g, at, false, views);
        fill_hoods(g, at, false, hoods);
        work w = work_of(g, views, hoods);
        w.streams = streams(c);
        // The rows' results may lie in several tiles, but in host memory these follow each other.
        if (c.what().kind == skeleton::reduce_rows)
            w.result.data = c.result.data->data +
                            (c.result.offset + c.segments[g.first].row0 - c.first_line) * c.what().result_size;
        else if (c.direct && c.result.data)
            w.result.data = static_cast<std::byte*>(at(g.result_refs[0].handle).data) + g.result_refs[0].offset;
        else if (c.partials.data) w.result.data = c.partial(g.number);
        if (g.carry_handle >= 0) w.carry.data = reinterpret_cast<void*>(STARPU_VECTOR_GET_PTR(buffers[g.carry_handle]));
        cpu::prepare_product(w); // by whoever needs it: one that a GPU gets waits for nothing
        const unsigned all = engine::current()->devices().cores(),
                       cores = g.threads > 0 ? std::min(g.threads, all) : all;
        const double begin = now_us();
        bool known = g.front == 0; // models are of the whole team, and of its own part
        if (g.team) known = run_with_team(c, g, w, cores, lead) && cores == all && known;
        else run_alone(w);
        if (!known) return;
        models& learnt = engine::current()->learnt.models;
        const double us = now_us() - begin;
        if (g.team) learnt.observe_team(c.what(), g.elements, us);
        else learnt.observe(c.what(), executor::core, g.elements, us);
    } catch (...) {
        c.fail(std::current_exception());
    }
}

void run_on_cpu(void* buffers[], void* argument) noexcept
{
    const in_order order(buffers);
    auto& g = *static_cast<task_group*>(argument);
    run_group(buffers, g, nullptr);
    tell_cores_are_done(*g.owner); // before the host can have the data, which ends the episode
    comes_before(g.owner);
}

void run_batch_on_cpu(void* buffers[], void* argument) noexcept
{
    const in_order order(buffers);
    for (task_group* g : static_cast<const batch*>(argument)->groups()) run_on_cpu(buffers, g);
}

namespace
{

/// copy(begin, end) copies some of the bytes. Of many the team copies, for calls on cores wait for them anyhow.
template <std::invocable<std::size_t, std::size_t> Copy>
void copy_on_cores(std::size_t bytes, const Copy& copy)
{
    if (bytes < worth_all_cores || running::current()->devices().policy_places()) return copy(0, bytes);
    team_lead all(leader::worker);
    copy_in_parts(all, bytes, copy);
}

} // namespace

void gather_on_cpu(void* buffers[], void* argument) noexcept
{
    const in_order order(buffers);
    static const std::string name = "gather tiles";
    const traced_task traced(name, 0, 0, 0);
    const std::span<void*> tiles(buffers + 1, static_cast<const gathering*>(argument)->tiles);
    auto* const to = reinterpret_cast<std::byte*>(STARPU_VECTOR_GET_PTR(buffers[0]));
    copy_on_cores(bytes_of_buffer(buffers[0]), [&](std::size_t begin, std::size_t end) {
        std::size_t at = 0; // where a tile begins
        for (void* const tile : tiles) {
            const auto* const from = reinterpret_cast<const std::byte*>(STARPU_VECTOR_GET_PTR(tile));
            const std::size_t first = std::max(begin, at), last = std::min(end, at + bytes_of_buffer(tile));
            if (first < last) std::memcpy(to + first, from + (first - at), last - first);
            at += bytes_of_buffer(tile);
        }
    });
}

namespace
{

/// Bytes `begin` to `end` of it, which are those of whole parts where there is a border.
void copy_bytes(const halo& h, void* buffers[], std::size_t begin, std::size_t end)
{
    auto* const all = reinterpret_cast<std::byte*>(STARPU_VECTOR_GET_PTR(buffers[0]));
    std::size_t at = 0;
    for (const halo::part& p : h.parts) {
        const std::size_t bytes = p.lines * h.line_bytes, first = std::max(begin, at), last = std::min(end, at + bytes);
        std::byte* const to = all + first;
        if (first >= last) {
            // another member's
        } else if (p.buffer == halo::part::constant) {
            for (std::size_t i = 0; h.border_value && i < bytes; i += h.element_size)
                std::memcpy(to + i, h.border_value, h.element_size);
        } else if (const auto* from = reinterpret_cast<const std::byte*>(STARPU_VECTOR_GET_PTR(buffers[1 + p.buffer])) +
                                      p.offset + (first - at);
                   from != to) { // the new last tile of a filter's result lies where the old one does
            std::memcpy(to, from, last - first);
        }
        at += bytes;
    }
}

} // namespace

void copy_halo_on_cpu(void* buffers[], void* argument) noexcept
{
    const in_order order(buffers);
    const auto& h = *static_cast<const halo*>(argument);
    static const std::string name = "copy halo";
    const traced_task traced(name, h.owner ? h.owner->number : 0, 0, 0);
    std::size_t bytes = 0;
    for (const halo::part& p : h.parts) bytes += p.lines * h.line_bytes;
    if (h.owner) copy_bytes(h, buffers, 0, bytes);
    else copy_on_cores(bytes, [&](std::size_t begin, std::size_t end) { copy_bytes(h, buffers, begin, end); });
}

namespace
{

/// Into the containers.
void join_on_cores(submitted_call& c)
{
    for_each_accumulated(
        c.what(), [&](std::size_t slot) { return c.operands[slot].cols; },
        [&](const accumulated_part& part) {
            const std::size_t size = c.what().slots[part.slot].size;
            copy_on_cores(part.count * size, [&](std::size_t begin, std::size_t end) {
                const auto element_at = [size](std::size_t byte) { return (byte + size - 1) / size; };
                try {
                    c.join_partials(part, element_at(begin), element_at(end));
                } catch (...) {
                    c.fail(std::current_exception());
                }
            });
        });
}

} // namespace

void combine_on_cpu(void* buffers[], void* argument) noexcept
{
    const in_order order(buffers);
    submitted_call& c = *static_cast<submitted_call*>(argument);
    comes_after(&c);
    const traced_task traced(c.what().name, c.number, static_cast<unsigned>(c.groups.size()), 0);
    if (c.fault()) return; // the groups have told the result's readers
    try {
        if (c.what().kind == skeleton::accumulate) join_on_cores(c);
        else c.combine_partials(c.result.data->data + c.result.offset * c.what().result_size);
    } catch (...) {
        c.fail(std::current_exception());
    }
}

void after_combine(void* argument) noexcept { static_cast<submitted_call*>(argument)->task_done(); }

} // namespace skelrt::detail
