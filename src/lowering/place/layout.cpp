// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/place/layout.hpp"

#include "src/data/memory/host_storage.hpp"
#include "src/data/memory/kept.hpp"
#include "src/lowering/hash_combine.hpp"
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

usage& usage_of_results() noexcept { return running::current()->learnt.usage; }

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
        for (std::size_t k = 0; k < r.slots.size(); ++k)
            if (state.operands[k].data && is_written(r, k) == results &&
                !sees_nothing(r.slots[k].kind, state.operands[k]))
                managed_[k] = &manage(*state.operands[k].data, grain());
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
        const std::size_t pieces = std::min<std::size_t>(64, extent());
        operands.push_back({0, 1, (extent() + pieces - 1) / pieces});
    }
    const std::vector<std::size_t> cuts = cut_axis(extent(), operands);
    state_.segments.reserve(cuts.size() - 1);
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) state_.segments.push_back(lines(cuts[i], cuts[i + 1] - cuts[i]));
}

namespace
{

bool is_at(const managed_state& m, std::size_t tile, unsigned node) { return m.valid[tile] >> node & 1; }

double bytes_of(const managed_state& m, std::size_t tile)
{
    return static_cast<double>(m.tile_size(tile) * m.owner->element_size);
}

/// The time of a tile's copy to the device over that of its copy from the host, both as they were measured: another
/// device may be nearer, or two links away.
double way_to(const target& t, const managed_state& m, std::size_t tile)
{
    double best = is_at(m, tile, STARPU_MAIN_RAM) ? t.to_device : 0;
    for (unsigned node = 0; node < t.from_node.size(); ++node)
        if (is_at(m, tile, node)) best = std::max(best, t.from_node[node]);
    return best > 0 ? t.to_device / best : 1;
}

} // namespace

template <class Part>
std::vector<double> layout::absent(const std::vector<const target*>& targets, Part part) const
{
    std::vector<double> bytes(state_.segments.size() * targets.size(), 0);
    for (std::size_t s = 0; s < state_.segments.size(); ++s)
        for (std::size_t d = 0; d < targets.size(); ++d)
            for (const axis_operand& a : axis_) {
                const std::size_t tile = tile_of(a, s);
                if (a.read && !is_at(*a.data, tile, targets[d]->node))
                    bytes[s * targets.size() + d] += part(*a.data, tile, targets[d]->node) *
                                                     way_to(*targets[d], *a.data, tile) * segment_bytes(a, s);
            }
    return bytes;
}

std::vector<double> layout::missing_bytes(const std::vector<const target*>& targets) const
{
    return absent(targets, [](const managed_state&, std::size_t, unsigned) { return 1.0; });
}

std::vector<double> layout::due_bytes(const std::vector<const target*>& targets) const
{
    return absent(targets,
                  [](const managed_state& m, std::size_t tile, unsigned node) { return 1 - m.moves.paid(tile, node); });
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
    for (const managed_state* m : whole_operands()) {
        add(m->owner->count()); // what is missing of them all is a device's first copy
        add(m->tile_elements);
        add_tiles(*m);
    }
    return hash;
}

double layout::bytes_to_copy(const target& t) const
{
    double bytes = 0;
    for (auto a = axis_.begin(); a != axis_.end(); ++a) {
        const auto same = [&](const axis_operand& o) { return o.read && o.data == a->data; };
        if (!a->read || std::any_of(axis_.begin(), a, same)) continue;
        for (std::size_t s = 0; s < state_.segments.size(); ++s)
            if (const std::size_t tile = tile_of(*a, s);
                !is_at(*a->data, tile, t.node) && is_at(*a->data, tile, STARPU_MAIN_RAM))
                bytes += segment_bytes(*a, s);
    }
    return bytes;
}

std::vector<double> layout::new_bytes(const std::vector<const target*>& targets, std::uint64_t episode) const
{
    return absent(targets,
                  [&](const managed_state& m, std::size_t, unsigned) { return m.episode == episode ? 0.0 : 1.0; });
}

template <class Part>
double layout::absent_whole(const target& t, Part part) const
{
    double bytes = 0;
    for (const managed_state* m : whole_operands())
        for (std::size_t i = 0; i < m->tile_count(); ++i)
            if (!is_at(*m, i, t.node)) bytes += part(*m, i) * way_to(t, *m, i) * bytes_of(*m, i);
    return bytes;
}

double layout::missing_whole_bytes(const target& t) const
{
    return absent_whole(t, [](const managed_state&, std::size_t) { return 1.0; });
}

double layout::due_whole_bytes(const target& t) const
{
    return absent_whole(t, [&](const managed_state& m, std::size_t tile) { return 1 - m.moves.paid(tile, t.node); });
}

double layout::new_whole_bytes(const target& t, std::uint64_t episode) const
{
    return absent_whole(t, [&](const managed_state& m, std::size_t) { return m.episode == episode ? 0.0 : 1.0; });
}

std::vector<double> layout::home_bytes() const
{
    // What follows on results that stayed where they were is likely to stay, too. Until somebody knows, results are as
    // likely wanted where their operands are: what a GPU then pays for their way home, the cores would pay for their
    // way to it.
    std::size_t stayed = 0;
    bool reads = false;
    for (const axis_operand& a : axis_) {
        if (!a.read) continue;
        reads = true;
        if (a.data->producer != a.data->nobody) stayed = std::max(stayed, a.data->run.calls);
    }
    const std::uint32_t id = state_.what().id;
    const double likely = usage_of_results().goes_home(id, reads ? 0 : 0.5) / static_cast<double>(1 + stayed);
    std::vector<double> bytes(state_.segments.size(), 0);
    for (std::size_t s = 0; s < bytes.size(); ++s)
        for (const axis_operand& a : axis_)
            if (a.written) bytes[s] += likely * segment_bytes(a, s);
    return bytes;
}

bool layout::results_go_home() const
{
    constexpr double certain = 0.8;
    return usage_of_results().goes_home(state_.what().id) > certain;
}

void layout::note_lost(const target& t, double lost_us, double copy_us)
{
    if (!(lost_us > 0) || !(copy_us > 0)) return;
    const double part = lost_us / copy_us;
    const auto pay = [&](managed_state& m, std::size_t tile) {
        if (!is_at(m, tile, t.node)) m.moves.pay(tile, t.node, part);
    };
    for (const axis_operand& a : axis_) {
        if (!a.read) continue;
        for (std::size_t s = 0, last = ~std::size_t{0}; s < state_.segments.size(); ++s)
            if (const std::size_t tile = tile_of(a, s); tile != last) pay(*a.data, last = tile);
    }
    for (managed_state* m : whole_operands())
        for (std::size_t i = 0; i < m->tile_count(); ++i) pay(*m, i);
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
        if (r.slots[k].kind == slot_kind::scalar) n += is_at(*managed_[k], 0, t.node);
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
    return std::clamp<std::size_t>(t.memory / 6 / std::max<std::size_t>(largest, 1), 1, table);
}

std::vector<managed_state*> layout::whole_operands() const
{
    std::vector<managed_state*> all;
    const recipe& r = state_.what();
    for (std::size_t k = 0; k < r.slots.size(); ++k) {
        if (!read_whole(r.slots[k].kind) || !managed_[k]) continue;
        if (std::find(all.begin(), all.end(), managed_[k]) == all.end()) all.push_back(managed_[k]);
    }
    return all;
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

slot_ref layout::place_whole(const operand& o, std::size_t element_size, const target* where)
{
    managed_state& m = *o.data->managed.load(std::memory_order_acquire);
    const std::size_t bytes = o.offset * element_size;
    if (m.tile_count() == 1) return {use_read(m.tiles[0]), bytes};
    if (where && where->kind == device::cpu) {
        // In host memory the tiles follow each other: reading them all is reading the whole.
        for (starpu_data_handle_t h : m.tiles) use_read(h);
        return {slot_ref::host, bytes};
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
        if (read_whole(r.slots[k].kind)) ref = place_whole(state_.operands[k], r.slots[k].size, where);
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

std::vector<tile_note> layout::tile_notes(const task_group& g, const target& planned) const
{
    const node_mask there = node_mask{1} << planned.node;
    std::vector<tile_note> notes;
    for (std::size_t s = g.first; s < g.first + g.count; ++s)
        for (const axis_operand& a : axis_) {
            const std::size_t tile = tile_of(a, s);
            if (a.written) notes.push_back({a.data->moved, tile, a.data->version + 1, ~node_mask{0}});
            else notes.push_back({a.data->moved, tile, a.data->version, there & ~a.data->valid[tile]});
        }
    return notes;
}

void layout::note_results(const std::vector<plan_group>& plan, const std::vector<const target*>& targets, bool anywhere,
                          bool free, std::uint64_t episode)
{
    const recipe& r = state_.what();
    for (const plan_group& g : plan) {
        const unsigned node = anywhere ? STARPU_MAIN_RAM : targets[g.device]->node;
        for (std::size_t k = 0; k < r.slots.size(); ++k)
            if (r.slots[k].kind == slot_kind::scalar) note_place(*managed_[k], 0, node, false);
        for (std::size_t s = g.first; s < g.first + g.count; ++s) {
            note_use(s, node);
            hand_on_losses(s, targets);
            for (const axis_operand& a : axis_) note_place(*a.data, tile_of(a, s), node, a.written);
        }
    }
    note_run(free, episode);
    for (const axis_operand& a : axis_)
        if (a.written) note_written(*a.data);
    if (result_ && r.kind != skeleton::reduce_rows) {
        const unsigned node = state_.direct && !anywhere ? targets[plan[0].device]->node : STARPU_MAIN_RAM;
        for (std::size_t i = 0; i < result_->tile_count(); ++i) note_place(*result_, i, node, true);
        note_written(*result_);
    }
    if (!anywhere)
        for (managed_state* m : whole_operands())
            for (const plan_group& g : plan)
                for (std::size_t i = 0; i < m->tile_count(); ++i) note_place(*m, i, targets[g.device]->node, false);
}

void layout::note_place(managed_state& m, std::size_t tile, unsigned node, bool written)
{
    const node_mask there = node_mask{1} << node;
    if (!is_at(m, tile, node)) m.moves.forget(tile);
    m.valid[tile] = written ? there : m.valid[tile] | there;
}

void layout::note_written(managed_state& m)
{
    ++m.version;
    if (m.producer != m.nobody) usage_of_results().note_home(m.producer, false); // nobody wanted what was there
    m.producer = state_.what().id;
}

/// Whether what lay on a device only was used there, or had to come home: for who decides where such results are made.
void layout::note_use(std::size_t segment, unsigned node)
{
    for (const axis_operand& a : axis_) {
        managed_state& m = *a.data;
        if (!a.read || m.producer == m.nobody || is_at(m, tile_of(a, segment), STARPU_MAIN_RAM)) continue;
        usage_of_results().note_home(std::exchange(m.producer, m.nobody), node == STARPU_MAIN_RAM);
    }
}

/// The results go on where the longest run among the operands has come to.
void layout::note_run(bool free, std::uint64_t episode)
{
    auto longest = decltype(managed_state::run){state_.what().id, 0};
    for (std::size_t k = 0; k < managed_.size(); ++k) // what is only written has nothing to hand on
        if (managed_[k] && !is_written(state_.what(), k) && managed_[k]->run.calls > longest.calls)
            longest = managed_[k]->run;
    ++longest.calls;
    longest.free = longest.free && free;
    for (std::size_t k = 0; k < managed_.size(); ++k) {
        if (!managed_[k]) continue;
        managed_[k]->episode = episode;
        auto& run = managed_[k]->run;
        if (is_written(state_.what(), k)) run = longest;
        else run = {run.calls > 0 ? run.first : state_.what().id, run.calls + 1, run.free && free};
    }
}

void layout::hand_on_losses(std::size_t segment, const std::vector<const target*>& targets)
{
    for (const target* t : targets) {
        double part = 0;
        for (const axis_operand& a : axis_)
            if (a.read) part = std::max(part, a.data->moves.paid(tile_of(a, segment), t->node));
        for (const axis_operand& a : axis_)
            if (a.written) a.data->moves.inherit(tile_of(a, segment), t->node, part);
    }
}

void layout::note_calls(std::uint64_t number)
{
    for (managed_state* m : managed_)
        if (m) state_.use(*m);
    if (result_) state_.use(*result_);
    state_.written_logs.reserve(managed_.size() + 1);
    const auto reads = [&](managed_state* m) {
        state_.read_windows.push_back({m->faults, m->healed, number});
        state_.read_windows.insert(state_.read_windows.end(), m->inherited.begin(), m->inherited.end());
    };
    const auto writes = [&](managed_state* m, std::size_t written) {
        const bool all = written == m->owner->count();
        if (all) heal(*m, number);
        state_.written_logs.push_back(m->faults); // first: if the call comes to nothing, who waits for it is told so
        note_writer(*m, state_.tasks, all);
    };
    const recipe& r = state_.what();
    const bool stores = has_result_slot(r.kind);
    const std::size_t inputs = r.slots.size() - (stores ? 1 : 0);
    for (std::size_t k = 0; k < inputs; ++k) // all of them before the first is written: it may be the same container
        if (r.slots[k].kind != slot_kind::output && managed_[k]) reads(managed_[k]);
    if (result_ && r.kind == skeleton::accumulate) reads(result_);
    if (state_.begun) reads(managed_.back());
    for (std::size_t k = 0; k < inputs; ++k)
        if (r.slots[k].kind == slot_kind::output) writes(managed_[k], state_.rows * state_.cols);
    if (stores) writes(managed_.back(), state_.begun ? 0 : state_.rows * state_.cols);
    if (!result_) return;
    writes(result_, r.kind == skeleton::accumulate ? 0 : result_->owner->count());
}

} // namespace skelrt::detail
