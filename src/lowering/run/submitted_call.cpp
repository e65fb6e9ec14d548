// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/run/submitted_call.hpp"

#include "schedulers/tsan_order.hpp"
#include "src/cluster/faults.hpp"
#include "src/data/memory/host_storage.hpp"

#include "src/program/program.hpp"

#include "codelets/index_fault.hpp"
#include "src/lowering/engine.hpp"
#include "src/model/knowledge.hpp"
#include "src/runtime/cores/team.hpp"
#include "src/runtime/memory/spare_objects.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <cstring>
#include <mutex>
#include <utility>

namespace skelrt::detail
{

namespace
{

std::size_t value_bytes(const call& c)
{
    std::size_t bytes = c.start ? c.site->what.result_size + c.site->what.result_align : 0;
    for (std::size_t k = 0; k < c.site->what.slots.size(); ++k)
        if (c.operands[k].value) bytes += c.site->what.slots[k].size + c.site->what.slots[k].align;
    return bytes;
}

auto& spare()
{
    /// As many as may be in flight: a thread that waited for half of them to end makes as many in a row.
    constexpr std::size_t most = 256;
    static auto& all = *new spare_objects<submitted_call, most>; // never destroyed: calls may end late
    return all;
}

} // namespace

void task_group::clear() noexcept
{
    task_group fresh;
    const auto keep = [](auto& mine, auto& others) {
        mine.clear();
        others.swap(mine);
    };
    keep(refs, fresh.refs);
    keep(result_refs, fresh.result_refs);
    keep(hood_refs, fresh.hood_refs);
    keep(tiles, fresh.tiles);
    *this = std::move(fresh);
}

submitted_call& submitted_call::make(const call& c, program& by, std::uint64_t number)
{
    submitted_call* const spared = spare().take();
    submitted_call* const made = spared ? spared : new submitted_call;
    try {
        made->begin(c, by, number);
    } catch (...) {
        delete made;
        throw;
    }
    return *made;
}

void submitted_call::begin(const call& c, program& by, std::uint64_t call_number)
{
    number = call_number;
    made_by = &by;
    matrix = c.matrix;
    rows = c.rows, cols = c.cols, depth = c.depth;
    first_line = c.first_line, whole_lines = c.whole_lines;
    width = c.width;
    result = c.result;
    foreign = c.foreign;
    goes_on = false;
    begun = c.begun;
    steps = c.steps;
    color = c.color;
    part = c.part;
    site_ = c.site;
    holders_.store(1, std::memory_order_relaxed);
    const std::size_t slots = what().slots.size();
    values_.reserve(value_bytes(c)); // addresses must stay
    operands.assign(c.operands, c.operands + slots);
    for (std::size_t k = 0; k < slots; ++k) {
        if (operands[k].value)
            operands[k].value = keep_value(operands[k].value, what().slots[k].size, what().slots[k].align);
        if (operands[k].data) keep(*operands[k].data);
    }
    if (result.data) keep(*result.data);
    if (c.start) start = keep_value(c.start, what().result_size, what().result_align);
    engine::current()->order.calls_in_flight.begin();
    by.call_begins();
}

namespace
{

/// Submitted so far by other programs.
std::uint64_t calls_of_others(const program& mine) noexcept
{
    const engine* const e = engine::current();
    return e ? e->order.calls_made - mine.calls_made : 0;
}

} // namespace

void halo::fail(const std::exception_ptr& what) const noexcept
{
    if (owner) owner->fail(what);
    else tell_others(what);
}

void submitted_call::keep(storage& s)
{
    kept.emplace_back(&s); // takes over the reference
    s.references.fetch_add(1, std::memory_order_relaxed);
    host_part(s).held_by_calls.fetch_add(1, std::memory_order_relaxed);
}

void submitted_call::use(managed_state& m)
{
    if (std::ranges::find(used_, &m) != used_.end()) return;
    used_.push_back(&m);
    m.users->fetch_add(1, std::memory_order_relaxed);
}

/// What the link brought. A call that others joined tells nothing.
void submitted_call::note_link() noexcept
{
    const engine* const e = engine::current();
    if (!e || !(copies.end_us > 0) || calls_of_others(*made_by) != copies.others) return;
    if (copies.bytes > 0) e->learnt.links.note(copies.device, copies.bytes, copies.end_us - copies.begin_us);
}

void submitted_call::clear() noexcept
{
    comes_after(this); // all that its tasks did
    for (managed_state* m : used_) m->users->fetch_sub(1, std::memory_order_release);
    used_.clear(); // first: what is `kept` may go below, and they with it
    free_block(partials);
    free_block(lines);
    const bool large = is_large();
    segments.clear();
    operands.clear();
    for (task_group& g : groups) g.clear();
    takers.clear();
    arrived.store(false, std::memory_order_relaxed);
    halos.clear();
    lines = {};
    lines_used = 0;
    for (const storage_ref& s : kept) host_part(*s).held_by_calls.fetch_sub(1, std::memory_order_relaxed);
    kept.clear();
    direct = false;
    together = false;
    partials = {};
    partial_stride = 0;
    result_values = 1;
    read_windows.clear();
    written_logs.clear();
    of_split = nullptr;
    copies.end_us.store(0, std::memory_order_relaxed);
    copies.bytes.store(0, std::memory_order_relaxed);
    start = nullptr;
    tasks.reset();
    values_.clear();
    fault_ = nullptr;
    if (large || !spare().give(this)) delete this;
}

/// Too large for most calls to come.
bool submitted_call::is_large() const noexcept
{
    constexpr std::size_t few = 4, small = 4096;
    return groups.size() > few || segments.capacity() > 32 * few || values_.capacity() > small;
}

const void* submitted_call::keep_value(const void* value, std::size_t size, std::size_t align)
{
    const auto end = reinterpret_cast<std::uintptr_t>(values_.data()) + values_.size();
    values_.resize(values_.size() + (align - end % align) % align);
    const std::size_t at = values_.size();
    values_.resize(at + size);
    std::memcpy(values_.data() + at, value, size);
    return values_.data() + at;
}

/// So many calls of one program, linked, that nobody holds any more.
void submitted_call::end(long count, submitted_call& newest, submitted_call& oldest) noexcept
{
    if (engine* e = engine::current()) e->order.calls_in_flight.end(count);
    newest.made_by->calls_end(static_cast<std::uint32_t>(count));
    add_ended(newest.ended_, oldest.ended_);
}

void submitted_call::drop() noexcept
{
    if (!lets_go()) return;
    note_link();
    end(1, *this, *this);
}

void submitted_call::task_done(std::shared_ptr<const running_work> left) noexcept
{
    tasks->task_done(std::move(left));
    drop();
}

void submitted_call::tasks_done(std::span<task_group* const> groups,
                                const std::shared_ptr<const running_work>& left) noexcept
{
    for (const task_group* g : groups) g->owner->tasks->task_done(left); // who waits goes on first
    submitted_call *newest = nullptr, *oldest = nullptr;
    long count = 0;
    for (const task_group* g : groups) {
        submitted_call& c = *g->owner;
        if (!c.lets_go()) continue;
        c.note_link();
        c.ended_.next = newest ? &newest->ended_ : nullptr;
        newest = &c;
        if (count++ == 0) oldest = &c;
    }
    if (count > 0) end(count, *newest, *oldest);
}

void submitted_call::fail(const std::exception_ptr& error) noexcept
{
    std::lock_guard lock(guard_);
    if (fault_) return; // one error a call: readers are told of the first
    fault_ = error;
    for (const auto& log : written_logs) log->add(number, error);
}

void submitted_call::fail_here() noexcept
{
    const std::exception_ptr now = std::current_exception();
    if (const std::exception_ptr of_operand = operand_fault()) return fail(of_operand);
    try {
        std::rethrow_exception(now);
    } catch (const function_error&) { // these two name the call and the device themselves
        fail(now);
    } catch (const bounds_error&) {
        fail(now);
    } catch (const std::exception& e) {
        try {
            char device[128] = "";
            starpu_worker_get_name(starpu_worker_get_id(), device, sizeof device);
            fail(std::make_exception_ptr(error(fmt::format("{}: on {}: {}", what().name, device, e.what()))));
        } catch (...) {
            fail(now);
        }
    } catch (...) {
        fail(now);
    }
}

std::exception_ptr submitted_call::fault() noexcept
{
    std::lock_guard lock(guard_);
    return fault_;
}

std::exception_ptr submitted_call::operand_fault() noexcept
{
    for (const fault_window& w : read_windows)
        if (std::exception_ptr what = w.log->find(w.from, w.before)) return what;
    return nullptr;
}

std::size_t submitted_call::partial_bytes() const noexcept
{
    const std::size_t size = what().kind == skeleton::filter ? sizeof(std::uint64_t) : what().result_size;
    return result_values * size + writer_bytes_of(what(), result_values);
}

void submitted_call::combine_partials(void* to) const
{
    const in_user_code mark;
    const recipe& r = what();
    const std::size_t size = r.result_size;
    auto* const out = static_cast<std::byte*>(to);
    const auto* from = static_cast<const std::byte*>(partials.data);
    std::size_t g = 0;
    if (start) {
        for (std::size_t i = 0; i < result_values; ++i) std::memcpy(out + i * size, start, size);
    } else {
        std::memcpy(out, from, result_values * size);
        g = 1;
    }
    for (; g < groups.size(); ++g) r.cpu.combine(out, from + g * partial_stride, result_values);
}

void submitted_call::join_partials(const accumulated_part& part, std::size_t first, std::size_t last) const
{
    const in_user_code mark;
    const recipe& r = what();
    const std::size_t size = r.slots[part.slot].size;
    const operand& o = operands[part.slot];
    const auto* const from = static_cast<const std::byte*>(partials.data) + part.offset + first * size;
    std::byte* const to = o.data->data + (o.offset + first) * size;
    for (std::size_t g = 0; g < groups.size(); ++g) r.cpu.join(part.which, to, from + g * partial_stride, last - first);
}

} // namespace skelrt::detail
