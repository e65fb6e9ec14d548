#include "src/lowering/inline_calls.hpp"

#include "src/lowering/at_once.hpp"
#include "src/lowering/call_times.hpp"
#include "src/lowering/episodes.hpp"
#include "src/lowering/filter.hpp"
#include "src/lowering/inline_stencil.hpp"
#include "src/lowering/storages_of.hpp"
#include "src/lowering/submit.hpp"
#include "src/lowering/team_work.hpp"

#include "src/data/managed.hpp"
#include "src/runtime/log.hpp"
#include "src/runtime/waited.hpp"

#include "codelets/cpu/cpu.hpp"
#include "codelets/cpu/pieces.hpp"
#include "codelets/cpu/sort.hpp"
#include "codelets/work.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <vector>

namespace skelrt::detail
{

namespace
{

/// Slot views of the whole call in host memory.
class host_views
{
public:
    explicit host_views(const call& c) : views_(c.site->what.slots.size())
    {
        const recipe& r = c.site->what;
        for (std::size_t k = 0; k < r.slots.size(); ++k) {
            const operand& o = c.operands[k];
            const bool element = is_elementwise(r.slots[k].kind);
            void* data = o.data ? o.data->data + o.offset * r.slots[k].size : const_cast<void*>(o.value);
            views_[k] = {data, 0, element ? c.rows : o.rows, element ? c.cols : o.cols, o.ld, o.stride};
        }
    }
    const slot_view* get() { return views_.data(); }

private:
    cpu::piece_views views_;
};

/// `evaluate` runs the user function on a few elements, drops the results and says how many: what one costs, in nanoseconds.
template <class Evaluate>
float probe(Evaluate evaluate)
{
    float best = std::numeric_limits<float>::max();
    for (int round = 0; round < 3; ++round) {
        const auto begin = std::chrono::steady_clock::now();
        const std::size_t elements = evaluate();
        const std::chrono::duration<float, std::nano> took = std::chrono::steady_clock::now() - begin;
        best = std::min(best, took.count() / static_cast<float>(elements));
        if (took.count() > 1e5f) break; // dear functions are known well enough
    }
    return best;
}

/// A trial of the first elements of a call without hoods, by the loops that tasks run, so that it is as fast as these. All
/// results go to memory of their own, for a call may be in place and its function must not see what it made itself. Ready
/// before the clock runs.
class first_elements
{
public:
    first_elements(const call& c, const slot_view* views, std::size_t most)
        : call_(c), views_(views, views + c.site->what.slots.size()), count_(std::min(c.cols, most))
    {
        const recipe& r = c.site->what;
        for (std::size_t k = 0; k < r.slots.size(); ++k) {
            const bool result = (r.kind == skeleton::map || runs_along(r.kind)) && k + 1 == r.slots.size();
            if (r.slots[k].kind != slot_kind::output && !result) continue;
            views_[k].data = room(count_ * r.slots[k].size);
            views_[k].stride = 1;
        }
        if (r.kind == skeleton::reduce || runs_along(r.kind)) sum_ = room(r.result_size);
    }
    std::size_t evaluate() const
    {
        const cpu_functions& run = call_.site->what.cpu;
        const cpu_block block{{1, count_, 0, 0}, call_.width, views_.data()};
        const skeleton kind = call_.site->what.kind;
        if (kind == skeleton::map) run.map(block);
        else if (runs_along(kind)) run.scan(block, sum_, false);
        else if (sum_) run.fold(block, sum_, false);
        else run.probe(block);
        return count_;
    }

private:
    static bool runs_along(skeleton kind) { return kind == skeleton::scan || kind == skeleton::scan_rows; }

    std::byte* room(std::size_t bytes)
    {
        results_.emplace_back(bytes / sizeof(std::max_align_t) + 1);
        return reinterpret_cast<std::byte*>(results_.back().data());
    }

    const call& call_;
    std::byte* sum_ = nullptr;
    std::vector<slot_view> views_;
    std::vector<std::vector<std::max_align_t>> results_;
    std::size_t count_;
};

/// What an element costs, in nanoseconds: `some(n)` evaluates at most n of them. A few take no longer than a look at the clock:
/// cheap ones are tried again, more at a time.
template <class Some>
float probe_elements(std::size_t there, Some some)
{
    constexpr std::size_t few = 64, many = 1024;
    constexpr float cheap_ns = 100;
    const float ns = probe(some(few));
    return ns > cheap_ns || there <= few ? ns : std::min(ns, probe(some(many)));
}

float probe_map(const call& c, const slot_view* views)
{
    return probe_elements(c.cols, [&](std::size_t most) {
        return [first = first_elements(c, views, most)] { return first.evaluate(); };
    });
}

float probe_stencil(const call& c, const slot_view* views)
{
    return probe_elements(c.rows * c.cols, [&](std::size_t most) {
        return [s = std::make_shared<inline_stencil>(c, views), most] { return s->probe(most); };
    });
}

void fold_into(const call& c, const cpu_block& b, std::byte* out, std::byte* temporary)
{
    const recipe& r = c.site->what;
    if (!c.start) {
        r.cpu.fold(b, out, false);
        return;
    }
    r.cpu.fold(b, temporary, false);
    std::memcpy(out, c.start, r.result_size);
    r.cpu.combine(out, temporary, 1);
}

void reduce_inline(const call& c, const cpu_block& all)
{
    const recipe& r = c.site->what;
    alignas(64) std::array<std::byte, 256> small;
    std::vector<std::max_align_t> large;
    std::byte* temporary = small.data();
    if (r.result_size > small.size()) {
        large.resize(r.result_size / sizeof(std::max_align_t) + 1);
        temporary = reinterpret_cast<std::byte*>(large.data());
    }
    auto* out = static_cast<std::byte*>(c.value ? c.value : c.result.data->data + c.result.offset * r.result_size);
    if (r.kind == skeleton::accumulate) {
        r.cpu.fold(all, out, true);
    } else if (r.kind == skeleton::reduce) {
        fold_into(c, all, out, temporary);
    } else if (r.kind == skeleton::reduce_rows) {
        std::vector<slot_view> row(all.slots, all.slots + r.slots.size());
        for (std::size_t i = 0; i < c.rows; ++i) {
            for (std::size_t k = 0; k < row.size(); ++k)
                if (moves(r.slots[k].kind))
                    row[k].data = static_cast<std::byte*>(all.slots[k].data) + i * row[k].ld * r.slots[k].size;
            fold_into(c, cpu_block{{1, c.cols, i, 0}, c.width, row.data()}, out + i * r.result_size, temporary);
        }
    } else if (!c.start) {
        r.cpu.fold_columns(all, out, false);
    } else {
        for (std::size_t i = 0; i < c.cols; ++i) std::memcpy(out + i * r.result_size, c.start, r.result_size);
        r.cpu.fold_columns(all, out, true);
    }
}

/// Of exclusive scans, too: these have a start value.
void scan_inline(const call& c, const cpu_block& all)
{
    const recipe& r = c.site->what;
    const std::size_t values = r.kind == skeleton::scan_columns ? c.cols : 1;
    std::vector<std::max_align_t> memory(values * r.result_size / sizeof(std::max_align_t) + 1);
    auto* const running = reinterpret_cast<std::byte*>(memory.data());
    const auto set_start = [&] {
        for (std::size_t i = 0; c.start && i < values; ++i)
            std::memcpy(running + i * r.result_size, c.start, r.result_size);
    };
    if (r.kind != skeleton::scan_rows) {
        set_start();
        (r.kind == skeleton::scan ? r.cpu.scan : r.cpu.scan_columns)(all, running, c.start != nullptr);
        return;
    }
    std::vector<slot_view> row(all.slots, all.slots + r.slots.size());
    for (std::size_t i = 0; i < c.rows; ++i) {
        for (std::size_t k = 0; k < row.size(); ++k)
            if (moves(r.slots[k].kind))
                row[k].data = static_cast<std::byte*>(all.slots[k].data) + i * row[k].ld * r.slots[k].size;
        set_start();
        r.cpu.scan(cpu_block{{1, c.cols, i, 0}, c.width, row.data()}, running, c.start != nullptr);
    }
}

/// All pairs of some rows, as the one share of a task.
void run_pairs(const call& c, const slot_view* views, std::size_t rows, std::size_t cols, std::size_t depth)
{
    const segment all{rows, cols, 0, 0};
    work w{c.site->what, true, c.cols, std::span(&all, 1), std::span(views, c.site->what.slots.size())};
    w.depth = depth;
    w.start = c.start;
    cpu::partials none(w, 1);
    cpu::run_share(w, none, 0, 1);
}

/// A first tile of the result, which is written anew afterwards. Returns how many pairs it zipped.
std::size_t first_pairs(const call& c, const slot_view* views)
{
    const pair_functions& f = *c.site->what.cpu.pairs;
    const std::size_t rows = std::min<std::size_t>(f.tile_rows, c.rows),
                      cols = std::min<std::size_t>(f.tile_cols, c.cols), depth = std::min<std::size_t>(c.depth, 64);
    run_pairs(c, views, rows, cols, depth);
    return rows * cols * depth;
}

/// The first elements sorted, elsewhere. Returns how many comparisons that takes.
std::size_t sort_first(const call& c, const slot_view* views)
{
    const sort_functions& f = *c.site->what.cpu.sort;
    const std::size_t n = std::min<std::size_t>(c.cols, 64);
    std::vector<std::max_align_t> items(n * f.item_size / sizeof(std::max_align_t) + 1);
    f.load(cpu_block{{1, n, 0, 0}, c.width, views}, items.data());
    f.sort(items.data(), n);
    return n * static_cast<std::size_t>(std::bit_width(n));
}

void sort_inline(const call& c, const slot_view* views)
{
    const segment all{1, c.cols, 0, 0};
    cpu::sort_alone({c.site->what, false, c.width, std::span(&all, 1), std::span(views, c.site->what.slots.size())});
}

/// The containers of a call that the calling thread may use itself, for as long as this lives: tasks never saw them, or have
/// left them in the host's memory. Then nobody else submits anything meanwhile.
class containers_at_hand
{
public:
    containers_at_hand(engine& e, const call& c) : call_(c)
    {
        bool tasks = false;
        for_each_storage(c, [&](storage& s, bool) { tasks = tasks || s.managed.load(std::memory_order_acquire); });
        if (!tasks) return;
        // Most calls of GPUs end here, so what costs least is asked first: what workers count is in their caches, but behind other
        // calls it is what says no.
        all_ = !any_fault() && !(e.program_episodes().waits() && e.calls_in_flight > 0);
        if (!all_) return;
        lock_ = std::unique_lock(e.submission);
        for_each_storage(c, [&](storage& s, bool written) {
            if (managed_state* const m = s.managed.load(std::memory_order_acquire))
                all_ = all_ && m->is_unused(written) && should_be_at_hand(*m);
        });
        all_ = all_ && is_idle(e, 0);
        for_each_storage(c, [&](storage& s, bool) {
            if (managed_state* const m = s.managed.load(std::memory_order_acquire)) all_ = all_ && is_at_hand(*m);
        });
    }
    /// What the call writes is the host's from now on.
    void write() const
    {
        if (!lock_) return;
        for_each_storage(call_, [](storage& s, bool written) {
            managed_state* const m = s.managed.load(std::memory_order_acquire);
            if (m && written) note_host_write(*m);
        });
    }
    containers_at_hand(const containers_at_hand&) = delete;
    containers_at_hand& operator=(const containers_at_hand&) = delete;
    explicit operator bool() const { return all_; }

private:
    const call& call_;
    bool all_ = true;
    std::unique_lock<submission_lock> lock_;
};

void run_here(const call& c, const slot_view* views)
{
    const cpu_block all{{c.rows, c.cols, 0, 0}, c.width, views};
    switch (c.site->what.kind) {
    case skeleton::stencil:
        inline_stencil(c, views).run();
        break;
    case skeleton::all_pairs:
        run_pairs(c, views, c.rows, c.cols, c.depth);
        break;
    case skeleton::sort:
        sort_inline(c, views);
        break;
    case skeleton::map:
        c.site->what.cpu.map(all);
        break;
    case skeleton::filter: {
        auto& result = *static_cast<storage_ref*>(c.value);
        cut_host_data(result, c.site->what.cpu.filter(all, result->data));
        break;
    }
    case skeleton::scan:
    case skeleton::scan_rows:
    case skeleton::scan_columns:
        scan_inline(c, all);
        break;
    case skeleton::reduce:
    case skeleton::reduce_rows:
    case skeleton::reduce_columns:
    case skeleton::accumulate:
        reduce_inline(c, all);
        break;
    }
}

/// Null, of a call that gives a value.
const storage* result_of(const call& c)
{
    return has_result_slot(c.site->what.kind) ? c.operands[c.site->what.slots.size() - 1].data : c.result.data;
}

} // namespace

bool run_inline(engine& e, const call& c, device_set kinds, bool free)
{
    if (!kinds.has(device::cpu) || e.inline_limit_us() <= 0) return false;
    const double calls =
        static_cast<double>(c.rows) * static_cast<double>(c.cols) * static_cast<double>(c.depth) * c.steps;
    const skeleton kind = c.site->what.kind;
    float ns = c.site->inline_ns.load(std::memory_order_relaxed);
    const auto small = [&](float element_ns) { return element_ns * 1e-3 * calls <= e.inline_limit_us(); };
    if (!small(ns) && !e.cores_alone()) return false;
    episodes& program = e.program_episodes();
    const auto worth_an_episode = [&] { return ns * 1e-3 * calls >= episodes::worth_an_episode_us; };
    const auto of_an_episode = [&] { return free && small(ns) && (worth_an_episode() || program.waits()); };
    if (of_an_episode() && program.next_goes_elsewhere()) return false;
    const containers_at_hand here(e, c);
    if (!here) return false;
    host_views views(c);
    if (ns < 0) {
        if (kind == skeleton::stencil) ns = probe_stencil(c, views.get());
        else if (kind == skeleton::sort) ns = probe([&] { return sort_first(c, views.get()); });
        else if (kind == skeleton::all_pairs) ns = probe([&] { return first_pairs(c, views.get()); });
        else ns = probe_map(c, views.get());
        c.site->inline_ns.store(ns, std::memory_order_relaxed);
    }
    if (!small(ns) && !e.cores_alone()) return false;
    const double us = ns * 1e-3 * calls;
    const bool of_episodes = of_an_episode();
    if (of_episodes && worth_an_episode() && !program.runs_here(c, us)) return false;
    here.write();
    if (!small(ns)) return run_on_all_cores(e, c, kinds, views.get(), us);
    run_here(c, views.get());
    if (of_episodes && !worth_an_episode()) program.passes(result_of(c), us);
    if (of_episodes && c.value) note_wait(e, nullptr);
    return true;
}

} // namespace skelrt::detail
