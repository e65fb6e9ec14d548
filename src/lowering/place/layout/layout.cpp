// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/place/layout/layout.hpp"

#include "src/data/memory/host_storage.hpp"
#include "src/data/memory/kept.hpp"
#include "src/lowering/hash_combine.hpp"
#include "src/lowering/place/overlap.hpp"
#include "src/lowering/place/segments.hpp"
#include "src/model/knowledge.hpp"
#include "src/runtime/running.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace skelrt::detail
{

namespace
{

/// Of a call that reads nothing by its position: fine enough for any split, and no more than a task may have.
constexpr std::size_t enough_pieces = 32;

/// A vector or matrix parameter of no elements: nothing of the container is read, and where it begins there may be no
/// tile.
bool sees_nothing(slot_kind kind, const operand& o)
{
    return (read_whole(kind) || kind == slot_kind::row_vec) && o.rows * o.cols == 0;
}

} // namespace

void layout::exchange_room() noexcept
{
    static room& spare = *new room; // never destroyed: calls may be made late
    managed_.swap(spare.managed);
    axis_.swap(spare.axis);
    handles_.swap(spare.handles);
    device_of_.swap(spare.device_of);
}

layout::~layout()
{
    managed_.clear();
    axis_.clear();
    handles_.clear();
    device_of_.clear();
    exchange_room();
}

layout::layout(submitted_call& state, cut_wish wish) : state_(state), wish_(wish)
{
    const recipe& r = state.what();
    exchange_room();
    managed_.resize(r.slots.size(), nullptr);
    const auto manage_slots = [&](bool results) {
        for (std::size_t k = 0; k < r.slots.size(); ++k) {
            const operand& o = state.operands[k];
            if (!o.data || is_written(r, k) != results || sees_nothing(r.slots[k].kind, o)) continue;
            const bool adds = r.slots[k].kind == slot_kind::accumulator; // on the host
            managed_[k] = adds ? &manage_pinned(*o.data) : &manage(*o.data, grain());
        }
    };
    manage_slots(false);
    adopt_tiling();
    manage_slots(true);
    if (state.result.data) result_ = &manage_pinned(*state.result.data);
    forget_origins();
    for (managed_state* m : managed_)
        if (m) settle_moves(*m);
    if (result_) settle_moves(*result_);

    const bool stores = has_result_slot(r.kind);
    axis_.reserve(r.slots.size() + 1);
    for (std::size_t k = 0; k < r.slots.size(); ++k) {
        const bool is_result = r.slots[k].kind == slot_kind::output || (stores && k + 1 == r.slots.size());
        if (!moves(r.slots[k].kind) || read_whole(r.slots[k].kind) || !managed_[k]) continue;
        const operand& o = state.operands[k];
        axis_.push_back({managed_[k], o.offset, state.matrix ? o.ld : o.stride, width_of(r.slots[k].kind, o), k,
                         !is_result || state.begun, is_result});
    }
    if (r.kind == skeleton::reduce_rows) {
        // One value per row: position p of the rows is element p.
        axis_.push_back({result_, state.result.offset, 1, 1, r.slots.size(), false, true});
    }
    if (wish_.for_edges) cut_for_edges();
    else if (wish_.tiles > 0) cut_finer_or_coarser();
}

void layout::set_devices(std::span<const plan_group> plan)
{
    device_of_.resize(state_.segments.size());
    for (const plan_group& g : plan)
        for (std::size_t s = g.first; s < g.first + g.count; ++s) device_of_[s] = g.device;
}

void layout::forget_origins()
{
    for (const operand& o : state_.operands)
        if (o.data) host_part(*o.data).just_taken = false;
    if (state_.result.data) host_part(*state_.result.data).just_taken = false;
}

/// The result, which nobody uses yet. The grid that is read may be on its way to other ranks; as the result of the step
/// before it is cut, too.
void layout::cut_for_edges()
{
    const tile_limits none{};
    for (const axis_operand& a : axis_) {
        managed_state& m = *a.data;
        const storage& s = *m.owner;
        const bool all_new = !a.read && state_.rows * state_.cols == s.count();
        if (!all_new || s.wanted_tiles > 0 || !m.is_unused(true) || !m.is_idle()) continue;
        const std::size_t elements = choose_tile_elements(s, wish_.tiles, none);
        if (cut_wish::is_worth_cutting(m.tile_elements, elements, s.count())) cut_again(m, elements, false);
    }
}

/// While nothing runs, and all data is at home. An operand that is also a result comes first, and keeps its data.
void layout::cut_finer_or_coarser()
{
    const auto wanted = [&](const managed_state& m) { return tile_elements_for(*m.owner, wish_.tiles); };
    const auto other = [&](const axis_operand& a) {
        return cut_wish::is_worth_cutting(a.data->tile_elements, wanted(*a.data), a.data->owner->count());
    };
    const auto all_new = [&](const axis_operand& a) {
        return !a.read && state_.rows * state_.cols == a.data->owner->count();
    };
    const auto idle = [&](const axis_operand& a) {
        if (!a.data->is_unused(true) || !a.data->is_idle()) return false;
        return all_new(a) || std::ranges::all_of(a.data->valid, [](node_mask v) { return v >> STARPU_MAIN_RAM & 1; });
    };
    if (std::ranges::none_of(axis_, other) || !std::ranges::all_of(axis_, idle)) return;
    for (const axis_operand& a : axis_)
        if (other(a)) cut_again(*a.data, wanted(*a.data), !all_new(a));
}

std::size_t layout::width_of(slot_kind kind, const operand& o) const
{
    if (kind == slot_kind::row_element || !state_.matrix) return 1;
    return kind == slot_kind::row_vec ? o.cols : state_.cols;
}

/// A fresh result takes the tiles of an operand of its shape (of its rows): tasks then never share a result's tile.
void layout::adopt_tiling()
{
    const recipe& r = state_.what();
    if (r.kind == skeleton::reduce_rows) return adopt_tiling(state_.result.data);
    if (!has_result_slot(r.kind)) return;
    adopt_tiling(state_.operands.back().data);
    for (const result_member& m : r.members) adopt_tiling(state_.operands[m.slot].data);
}

/// A result whose memory comes from one that was let go of: that one's tiles may be others'.
void layout::retile(storage& to, std::size_t elements)
{
    managed_state* const m = to.managed.load(std::memory_order_acquire);
    const auto reads_it = [&](const managed_state* o) { return o == m; };
    const bool busy = !m->is_unused(true) || !m->is_idle() || to.readers > 0 || to.writers > 0;
    if (m->tile_elements == elements || busy || std::ranges::any_of(managed_, reads_it)) return;
    if (!exchange_for_kept(to, elements)) cut_again(*m, elements, false);
}

void layout::adopt_tiling(storage* to)
{
    const recipe& r = state_.what();
    const bool rows = r.kind == skeleton::reduce_rows;
    const bool taken = host_part(*to).just_taken;
    if ((to->managed.load(std::memory_order_acquire) && !taken) || to->wanted_tiles > 0) return;
    for (std::size_t k = 0; k < r.slots.size(); ++k) {
        storage* from = state_.operands[k].data;
        const bool follows = is_elementwise(r.slots[k].kind); // results, too: those of one call alike
        if (!follows || from == to || !from) continue;
        const bool whole = state_.operands[k].offset == 0 && state_.operands[k].ld == from->cols;
        if (!rows && from->whole_rows != to->whole_rows) continue; // a row as a vector: cut by other rules
        if (!whole || (rows ? from->rows != to->cols : from->rows != to->rows || from->cols != to->cols)) continue;
        const managed_state& m = manage(*from, grain());
        const std::size_t elements = rows ? m.tile_elements / from->cols : m.tile_elements;
        if (taken) retile(*to, elements);
        else manage_with_tiles(*to, elements);
        return;
    }
}

void layout::cut()
{
    const auto lines = [&](std::size_t first, std::size_t count) {
        const std::size_t at = state_.first_line + first;
        return state_.matrix ? segment{count, state_.cols, at, 0} : segment{1, count, 0, at};
    };
    if (!axis_.empty() && std::ranges::all_of(axis_, [](const axis_operand& a) { return a.data->tile_count() == 1; })) {
        state_.segments.push_back(lines(0, extent()));
        return;
    }
    std::vector<cut_operand> operands;
    for (const axis_operand& a : axis_) operands.push_back({a.offset, a.step, a.data->tile_elements});
    if (axis_.empty()) { // nothing but uniforms and whole operands: pieces for all devices
        const std::size_t pieces = std::min(enough_pieces, extent());
        operands.push_back({0, 1, (extent() + pieces - 1) / pieces});
    }
    const std::vector<std::size_t> cuts = cut_axis(extent(), operands);
    state_.segments.reserve(cuts.size() - 1);
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) state_.segments.push_back(lines(cuts[i], cuts[i + 1] - cuts[i]));
}

std::uint64_t layout::places() const
{
    std::uint64_t hash = 0;
    const auto add = [&](std::uint64_t value) { hash = hash_combine(hash, value); };
    const auto add_tiles = [&](const managed_state& m) {
        for (const node_mask v : m.valid) add(v);
    };
    for (const axis_operand& a : axis_) {
        for (const std::size_t n : {a.offset, a.step, a.width, a.data->tile_elements, std::size_t{a.read}}) add(n);
        if (a.read) add_tiles(*a.data);
    }
    for (const whole_operand& w : whole_operands()) {
        add(w.data->owner->count()); // what is missing of them all is a device's first copy
        for (const std::size_t n : {w.data->tile_elements, w.first, w.end}) add(n);
        add_tiles(*w.data);
    }
    return hash;
}

bool layout::maps_scalars() const
{
    const recipe& r = state_.what();
    if (r.kind != skeleton::map || state_.rows * state_.cols != 1) return false;
    return std::all_of(r.slots.begin(), r.slots.end() - 1,
                       [](const slot_type& s) { return s.kind == slot_kind::scalar || s.kind == slot_kind::uniform; });
}

std::size_t layout::scalars_at(const target& t) const
{
    const recipe& r = state_.what();
    std::size_t n = 0;
    for (std::size_t k = 0; k < r.slots.size(); ++k)
        if (r.slots[k].kind == slot_kind::scalar) n += managed_[k]->is_at(0, t.node);
    return n;
}

bool layout::waits_for_others() const
{
    const auto in_flight = [](const auto& writer) { return !writer->done(); };
    return std::ranges::any_of(
        axis_, [&](const axis_operand& a) { return a.read && std::ranges::any_of(a.data->writers, in_flight); });
}

bool layout::is_only_user() const
{
    constexpr long this_call = 1;
    const auto free = [](const managed_state& m, bool written) { return m.is_unused(written) && m.is_idle(this_call); };
    for (std::size_t k = 0; k < managed_.size(); ++k)
        if (managed_[k] && !free(*managed_[k], is_written(state_.what(), k))) return false;
    return !result_ || free(*result_, true);
}

void layout::mark(use_here& by_caller) const
{
    for (std::size_t k = 0; k < managed_.size(); ++k)
        if (managed_[k]) by_caller.add(*managed_[k], is_written(state_.what(), k));
    if (result_) by_caller.add(*result_, true);
}

std::size_t layout::longest_run(const target& t) const
{
    constexpr std::size_t table = 32;
    if (t.memory == 0) return t.kind == device::cpu ? state_.segments.size() : table;
    // All tiles of an operand but the last are equal, and a segment lies in one of each.
    std::size_t largest = 0;
    for (const axis_operand& a : axis_) largest += a.data->tile_size(0) * a.data->owner->element_size;
    std::size_t room = t.memory;
    for (const whole_operand& w : whole_operands()) room -= std::min(room, whole_bytes(w));
    return std::clamp<std::size_t>(room / 6 / std::max<std::size_t>(largest, 1), 1, table);
}

std::size_t layout::whole_bytes(const whole_operand& w)
{
    return (w.is_one_tile() ? w.data->tile_size(w.first) : w.data->owner->count()) * w.data->owner->element_size;
}

whole_operand layout::whole(std::size_t slot) const
{
    managed_state& m = *managed_[slot];
    const operand& o = state_.operands[slot];
    const whole_operand all{&m, 0, m.tile_count()};
    if (all.is_one_tile() || state_.what().slots[slot].kind == slot_kind::column_vec) return all;
    const std::size_t first = o.offset / m.tile_elements;
    return last_of(o) / m.tile_elements == first ? whole_operand{&m, first, first + 1} : all;
}

std::vector<whole_operand> layout::whole_operands() const
{
    std::vector<whole_operand> found;
    const recipe& r = state_.what();
    for (std::size_t k = 0; k < r.slots.size(); ++k) {
        const bool adds = r.slots[k].kind == slot_kind::accumulator;
        if ((!read_whole(r.slots[k].kind) && !adds) || !managed_[k]) continue;
        whole_operand w = adds ? added(k) : whole(k);
        w.added_to = is_added_to(*w.data);
        const auto covers = [](const whole_operand& a, const whole_operand& b) {
            return a.data == b.data && a.first <= b.first && b.end <= a.end;
        };
        if (std::ranges::any_of(found, [&](const whole_operand& f) { return covers(f, w); })) continue;
        std::erase_if(found, [&](const whole_operand& f) { return covers(w, f); });
        found.push_back(w);
    }
    return found;
}

whole_operand layout::added(std::size_t slot) const
{
    managed_state& m = *managed_[slot];
    const operand& o = state_.operands[slot];
    if (o.cols == 0) return {&m, 0, 0, true};
    return {&m, o.offset / m.tile_elements, (o.offset + o.cols - 1) / m.tile_elements + 1, true};
}

bool layout::is_added_to(const managed_state& m) const
{
    const recipe& r = state_.what();
    for (std::size_t k = 0; k < r.slots.size(); ++k)
        if (r.slots[k].kind == slot_kind::accumulator && managed_[k] == &m) return true;
    return false;
}

std::uint32_t layout::use(const handle_use& wanted)
{
    // Recent handles are at the end: neighbours on the axis share them.
    for (std::size_t i = handles_.size(); i-- > 0;) {
        handle_use& u = handles_[i];
        if (u.handle != wanted.handle) continue;
        u.read = u.read || wanted.read;
        u.written = u.written || wanted.written;
        u.covered += wanted.covered;
        u.size = std::max(u.size, wanted.size); // who only reads does not say
        return static_cast<std::uint32_t>(i);
    }
    handles_.push_back(wanted);
    return static_cast<std::uint32_t>(handles_.size() - 1);
}

slot_ref layout::place_whole(std::size_t slot, const target* where)
{
    const whole_operand w = whole(slot);
    managed_state& m = *w.data;
    const std::size_t bytes = state_.operands[slot].offset * state_.what().slots[slot].size;
    if (w.is_one_tile()) return {use_read(m.tiles[w.first]), bytes - m.tile_begin(w.first) * m.owner->element_size};
    if (where && where->kind == device::cpu) {
        // In host memory the tiles follow each other: reading them all is reading the whole.
        for (starpu_data_handle_t h : m.tiles) use_read(h);
        return {slot_ref::host, bytes};
    }
    if (where && lies_in_one_piece(m, where->node)) {
        const std::uint32_t first = use_read(m.tiles[0]);
        for (starpu_data_handle_t h : m.tiles) use_read(h);
        return {first, bytes};
    }
    return {use_read(m.replica), bytes};
}

bool layout::lies_in_one_tile(const axis_operand& a, std::size_t segment) const
{
    const std::size_t stride = a.slot < state_.operands.size() ? state_.operands[a.slot].stride : 0;
    const std::size_t last_line = position(segment) + positions(segment) - 1;
    const std::size_t last = a.offset + last_line * a.step + (a.width - 1) * stride;
    return last / a.data->tile_elements == tile_of(a, segment);
}

void layout::place(task_group& g, const target* where)
{
    const recipe& r = state_.what();
    const std::size_t slots = r.slots.size();
    handles_.clear();
    handles_.reserve(g.reads() * axis_.size() + slots);
    g.refs.assign(g.reads() * slots, {});
    if (r.kind == skeleton::reduce_rows) g.result_refs.resize(g.count);

    for (std::size_t k = 0; k < slots; ++k) {
        if (!managed_[k]) continue; // no memory of its own
        slot_ref ref;
        if (state_.direct && is_added_to(*managed_[k])) continue; // place_added()
        if (read_whole(r.slots[k].kind)) ref = place_whole(k, where);
        else if (r.slots[k].kind == slot_kind::scalar) ref = {use_read(managed_[k]->tiles[0]), 0};
        else continue;
        for (std::size_t s = 0; s < g.reads(); ++s) g.refs[s * slots + k] = ref;
    }
    for (std::size_t s = 0; s < g.reads(); ++s) {
        const std::size_t at = g.begin() + s;
        for (const axis_operand& a : axis_) {
            if (a.written && s < g.front) continue; // others write there
            assert(lies_in_one_tile(a, at));
            const std::size_t tile = tile_of(a, at);
            const std::size_t element = a.offset + position(at) * a.step - a.data->tile_begin(tile);
            const std::size_t size = a.data->owner->element_size;
            const slot_ref ref{use({a.data->tiles[tile], a.read, a.written, a.written ? positions(at) * a.width : 0,
                                    a.data->tile_size(tile)}),
                               element * size};
            if (a.slot < slots) g.refs[s * slots + a.slot] = ref;
            else g.result_refs[s] = ref;
        }
    }
}

/// What is only added to begins as nothing, or is changed tile by tile.
bool layout::wants_replica(const whole_operand& w, const target* where) const
{
    if (where && (where->kind == device::cpu || lies_in_one_piece(*w.data, where->node))) return false;
    return !w.is_one_tile() && !(w.added_to && (state_.direct || !has_one_copy(state_.what().rule)));
}

bool layout::may_go_from(const target& planned, const target& other) const
{
    return other.kind == device::cpu || std::ranges::all_of(managed_, [&](const managed_state* m) {
               return !m || !lies_in_one_piece(*m, planned.node) || lies_in_one_piece(*m, other.node);
           });
}

bool layout::adds_to_several_pieces(const target& where) const
{
    const recipe& r = state_.what();
    for (std::size_t k = 0; k < r.slots.size(); ++k)
        if (r.slots[k].kind == slot_kind::accumulator && managed_[k] && added(k).count() > 1 &&
            !lies_in_one_piece(*managed_[k], where.node))
            return true;
    return false;
}

void layout::place_added(task_group& g)
{
    const recipe& r = state_.what();
    g.result_refs.clear();
    for (std::size_t k = 0; k < r.slots.size(); ++k) {
        if (r.slots[k].kind != slot_kind::accumulator || !managed_[k]) continue;
        const whole_operand w = added(k);
        if (w.count() == 0) continue;
        std::size_t before = (state_.operands[k].offset - w.data->tile_begin(w.first)) * r.slots[k].size;
        for (std::size_t i = w.first; i < w.end; ++i, before = 0) {
            const std::size_t elements = w.data->tile_size(i);
            const slot_ref tile{use({w.data->tiles[i], true, true, elements, elements}), before};
            g.result_refs.push_back(tile);
            for (std::size_t s = 0; s < g.reads() && i == w.first; ++s) {
                g.refs[s * r.slots.size() + k] = tile;
                if (has_one_copy(r.rule)) g.refs[(s + 1) * r.slots.size() - 1] = tile; // for checks of the function
            }
        }
    }
}

} // namespace skelrt::detail
