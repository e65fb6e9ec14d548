// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/filter.hpp"

#include "codelets/element_memory.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/data/memory/kept.hpp"
#include "src/data/parting/held.hpp"
#include "src/data/room.hpp"
#include "src/lowering/registry.hpp"
#include "src/lowering/run/make_tasks.hpp"
#include "src/lowering/run/tasks.hpp"
#include "src/program/program.hpp"

#include <fmt/format.h>
#include <skelrt/error.hpp>

#include <algorithm>
#include <bit>
#include <cstring>

namespace skelrt::detail
{

namespace
{

constexpr std::size_t few = 8; ///< results that are fewer than one of so many elements move to memory of their size

/// Results that follow each other, as numbers of elements in the room for all.
struct run {
    std::size_t first, count;
};

void append(std::vector<run>& runs, std::size_t first, std::size_t count)
{
    if (count == 0) return;
    if (!runs.empty() && runs.back().first + runs.back().count == first) runs.back().count += count;
    else runs.push_back({first, count});
}

/// What the tasks left: `kept` results, and the runs of these and of what comes behind them.
struct selection {
    std::vector<run> runs;
    std::size_t kept = 0;
};

/// At the beginning of each segment are so many results; the others of it, where they are kept, are behind them.
selection selection_of(submitted_call& state)
{
    selection all;
    std::vector<run> others;
    for (const task_group& g : state.groups) {
        std::vector<std::uint64_t> counts(g.count);
        std::memcpy(counts.data(), state.partial(g.number), g.count * sizeof counts[0]);
        for (std::size_t s = 0; s < g.count; ++s) {
            const segment& where = state.segments[g.first + s];
            const std::size_t line = (state.matrix ? where.row0 : where.col0) - state.first_line;
            const std::size_t first = line * (state.matrix ? state.cols : 1);
            append(all.runs, first, counts[s]);
            all.kept += counts[s];
            if (state.what().keeps_others) append(others, first + counts[s], where.rows * where.cols - counts[s]);
        }
    }
    for (const run& r : others) append(all.runs, r.first, r.count);
    return all;
}

void after_copy(void* state) noexcept { static_cast<submitted_call*>(state)->drop(); }

/// Tasks that copy results between tiles, on the devices that have them. Used under the order's lock.
class collection
{
public:
    collection(engine& e, submitted_call& state, device_set kinds, managed_state& from)
        : engine_(e), state_(state), kinds_(kinds), from_(from), size_(from.owner->element_size)
    {
    }

    /// The runs, one after the other, into new data.
    void join(const std::vector<run>& runs, storage& made)
    {
        managed_state& to = manage_pinned(made);
        state_.keep(made); // what is done with the result may be over before the call is cleared
        state_.use(to);
        state_.written_logs.push_back(to.faults);
        auto next = runs.begin();
        std::size_t done = 0; // of the next run
        for (std::size_t t = 0; t < to.tile_count(); ++t) {
            halo& h = new_copy(to.tiles[t]);
            node_mask valid = ~node_mask{0};
            for (std::size_t missing = to.tile_size(t); missing > 0;) {
                const std::size_t n = std::min(missing, next->count - done);
                add(h, next->first + done, n, valid);
                missing -= n;
                done += n;
                if (done < next->count) continue;
                ++next;
                done = 0;
            }
            to.valid[t] = send(h, valid);
        }
        ++to.version;
        to.copied_into = true;
    }

    /// The part of the ending tile that stays, to the new last tile.
    void keep(starpu_data_handle_t ending, std::size_t n)
    {
        halo& h = new_copy(from_.tiles.back());
        h.from.push_back(ending);
        h.parts.push_back({0, 0, n});
        from_.valid.back() = send(h, from_.valid.back());
        from_.copied_into = true;
    }

private:
    halo& new_copy(starpu_data_handle_t to)
    {
        // cppcheck-suppress returnTempReference ; emplace_back refers to the element
        return state_.halos.emplace_back(halo{&state_, to, size_, size_, nullptr, {}, {}, 0});
    }

    /// n elements from number `first` on; they may lie in several tiles.
    void add(halo& h, std::size_t first, std::size_t n, node_mask& valid)
    {
        while (n > 0) {
            const std::size_t tile = first / from_.tile_elements, at = first - from_.tile_begin(tile);
            const std::size_t here = std::min(n, from_.tile_size(tile) - at);
            const auto known = std::find(h.from.begin(), h.from.end(), from_.tiles[tile]);
            h.parts.push_back({static_cast<std::size_t>(known - h.from.begin()), at * size_, here});
            if (known == h.from.end()) h.from.push_back(from_.tiles[tile]);
            if (valid & from_.valid[tile]) valid &= from_.valid[tile];
            first += here;
            n -= here;
        }
    }

    /// A device that has (most of) what is copied, among those that the call may use.
    const target* device_with(node_mask valid) const
    {
        const target* any = nullptr;
        for (const target& t : engine_.devices().targets()) {
            if (!kinds_.has(t.kind)) continue;
            if (valid >> t.node & 1) return &t;
            any = &t;
        }
        return any;
    }

    /// Returns where the copy is then.
    node_mask send(halo& h, node_mask valid)
    {
        starpu_task* const t = make_halo_task(h);
        t->name = "filter, copy";
        const target* const where = device_with(valid);
        if (where) {
            t->execute_on_a_specific_worker = 1;
            t->workerid = static_cast<unsigned>(where->worker);
        }
        t->callback_func = &after_copy;
        t->callback_arg = &state_;
        state_.hold();
        if (const int refused = submit_task(t, program::current().wishes.priority); refused != 0) {
            discard(t);
            state_.drop();
            throw error(fmt::format("{}: StarPU accepts no task that copies its results ({})", state_.what().name,
                                    std::strerror(-refused)));
        }
        return node_mask{1} << (where ? where->node : unsigned{STARPU_MAIN_RAM});
    }

    engine& engine_;
    submitted_call& state_;
    device_set kinds_;
    managed_state& from_;
    std::size_t size_;
};

/// Makes the result's elements out of their room.
void collect(engine& e, submitted_call& state, device_set kinds, const std::vector<run>& runs, storage_ref& result)
{
    std::size_t total = 0;
    for (const run& r : runs) total += r.count;
    if (total == 0) {
        result = create_held(all_held(1, 0), result->element_size, false);
        return;
    }
    managed_state& m = *result->managed.load(std::memory_order_acquire);
    if (runs.size() > 1 || runs[0].first > 0 || total < result->count() / few) {
        const storage_ref made(create_held_result(all_held(1, total), result->element_size, false));
        {
            std::lock_guard lock(e.order);
            e.order.flush_locked(m.batch);
            collection(e, state, kinds, m).join(runs, *made);
        }
        result = made;
        return;
    }
    if (total == result->count() && !result->whole_rows) return;
    std::lock_guard lock(e.order);
    e.order.flush_locked(m.batch);
    const std::size_t room = result->count() * result->element_size;
    if (starpu_data_handle_t ending = cut_managed(*result, total))
        collection(e, state, kinds, m).keep(ending, m.tile_size(m.tile_count() - 1));
    if (!may_be_kept(room)) drop_room(m);
}

} // namespace

void collect_filtered(engine& e, submitted_call& state, device_set kinds, filtered& result)
{
    e.order.flush();
    state.tasks->wait();
    std::exception_ptr what = state.fault();
    if (!what) what = state.tasks->fault();
    if (!what) {
        try {
            const selection all = selection_of(state);
            collect(e, state, kinds, all.runs, result.elements);
            result.kept = all.kept;
        } catch (...) {
            what = std::current_exception();
        }
    }
    state.drop();
    if (what) throw_noted(what);
}

namespace
{

/// Keeps the first n elements of data that only the host has; less than an eighth of it moves to smaller memory.
void cut_host_data(storage_ref& data, std::size_t n)
{
    if (n == 0 || n < data->count() / few) {
        storage_ref made = create_held(all_held(1, n), data->element_size, false);
        if (n > 0) std::memcpy(made->data, data->data, n * data->element_size);
        data = std::move(made);
        return;
    }
    if (data->managed.load(std::memory_order_acquire)) {
        cut_managed(*data, n);
        return;
    }
    set_part(*data, all_held(1, n));
    data->whole_rows = false;
    data->inner = {};
}

/// Returns how many are kept; `to` has room for all.
std::size_t partition_block(const recipe& what, const cpu_block& all, std::byte* to)
{
    const std::size_t n = all.where.rows * all.where.cols, size = what.result_size;
    const element_memory others(n * size);
    const std::size_t kept = what.cpu.partition(all, to, others.data());
    std::memcpy(to + kept * size, others.data(), (n - kept) * size);
    return kept;
}

} // namespace

void filter_nothing(filtered& result) { cut_host_data(result.elements, 0); }

void filter_here(const recipe& what, const cpu_block& all, filtered& result)
{
    std::byte* const to = result.elements->data;
    const bool others = what.keeps_others;
    result.kept = others ? partition_block(what, all, to) : what.cpu.filter(all, to);
    cut_host_data(result.elements, others ? result.elements->count() : result.kept);
}

} // namespace skelrt::detail
