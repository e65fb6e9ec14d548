// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/place/layout/layout.hpp"

#include "src/model/knowledge.hpp"
#include "src/runtime/running.hpp"

#include <algorithm>
#include <utility>

/// What a call that has been planned leaves behind: where its data will be, and who wrote it.
namespace skelrt::detail
{

usage& layout::usage_of_results() noexcept { return running::current()->learnt.usage; }

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
    const auto note_whole = [&](managed_state& m, unsigned node) {
        for (std::size_t i = 0; i < m.tile_count(); ++i) note_place(m, i, node, true);
        note_written(m);
    };
    const unsigned node_of_result = state_.direct && !anywhere ? targets[plan[0].device]->node : STARPU_MAIN_RAM;
    if (result_ && r.kind != skeleton::reduce_rows) note_whole(*result_, node_of_result);
    for (std::size_t k = 0; k < r.slots.size(); ++k)
        if (r.slots[k].kind == slot_kind::accumulator) note_whole(*managed_[k], node_of_result);
    if (!anywhere)
        for (const whole_operand& w : whole_operands())
            for (const plan_group& g : plan)
                for (std::size_t i = w.first; i < w.end && !w.added_to; ++i)
                    note_place(*w.data, i, targets[g.device]->node, false);
}

void layout::note_place(managed_state& m, std::size_t tile, unsigned node, bool written)
{
    const node_mask there = node_mask{1} << node;
    if (!m.is_at(tile, node)) m.moves.forget(tile);
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
        if (!a.read || m.producer == m.nobody || m.is_at(tile_of(a, segment), STARPU_MAIN_RAM)) continue;
        usage_of_results().note_home(std::exchange(m.producer, m.nobody), node == STARPU_MAIN_RAM);
    }
}

/// The results go on where the longest run among the operands has come to.
void layout::note_run(bool free, std::uint64_t episode)
{
    auto longest = decltype(managed_state::run){state_.what().id, 0};
    for (std::size_t k = 0; k < managed_.size(); ++k) // what is only written has nothing to hand on
        if (managed_[k] && (state_.begun || !is_written(state_.what(), k)) && managed_[k]->run.calls > longest.calls)
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
    if (state_.begun) reads(managed_.back());
    for (std::size_t k = 0; k < inputs; ++k)
        if (r.slots[k].kind == slot_kind::output) writes(managed_[k], state_.rows * state_.cols);
        else if (r.slots[k].kind == slot_kind::accumulator) writes(managed_[k], 0);
    if (stores) writes(managed_.back(), state_.begun ? 0 : state_.rows * state_.cols);
    if (result_) writes(result_, result_->owner->count());
}

} // namespace skelrt::detail
