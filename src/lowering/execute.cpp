#include "src/lowering/call_times.hpp"
#include "src/lowering/filter.hpp"
#include "src/lowering/inline_stencil.hpp"
#include "src/lowering/obey_plan.hpp"
#include "src/lowering/submit.hpp"
#include "src/lowering/team_work.hpp"

#include "src/data/kept.hpp"
#include "src/data/managed.hpp"
#include "src/lowering/episodes.hpp"
#include "src/runtime/engine.hpp"
#include "src/runtime/log.hpp"
#include "src/runtime/waited.hpp"

#include "src/config.hpp"
#if SKELRT_HAVE_CUDA
#include "codelets/cuda/cuda.hpp"
#endif
#include "codelets/cpu/cpu.hpp"
#include "codelets/cpu/sort.hpp"
#include "codelets/work.hpp"

#include <skelrt/detail/call.hpp>
#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <unordered_set>
#include <vector>

/// The way of a call after the front end: checks, then inline on the calling thread or as tasks.
namespace skelrt::detail
{

namespace
{

template <class Visit>
void for_each_storage(const call& c, Visit visit)
{
    for (std::size_t k = 0; k < c.site->what.slots.size(); ++k)
        if (c.operands[k].data) visit(*c.operands[k].data, is_written(c.site->what, k));
    if (c.result.data) visit(*c.result.data, true);
}

void check_views(const call& c)
{
    for_each_storage(c, [&](storage& s, bool written) {
        if (s.writers.load(std::memory_order_relaxed) > 0 || (written && s.readers.load(std::memory_order_relaxed) > 0))
            throw error(fmt::format(
                "{}: a host view of one of its containers ({} x {} elements) is open; let it go out of scope "
                "before the call",
                c.site->what.name, s.rows, s.cols));
    });
}

/// The functions add to copies, and some of them straight to the container: what they read must not change under them.
void check_accumulator(const call& c)
{
    if (c.site->what.kind != skeleton::accumulate) return;
    for (std::size_t k = 0; k < c.site->what.slots.size(); ++k)
        if (c.result.data && c.operands[k].data == c.result.data)
            throw error(
                fmt::format("{}: operand {} is the container that the call adds to; add to a copy, or to another "
                            "container",
                            c.site->what.name, k + 1));
}

/// sk::vec sees memory without gaps; a column of a matrix has gaps.
void check_whole_operands(const call& c)
{
    for (std::size_t k = 0; k < c.site->what.slots.size(); ++k)
        if (c.site->what.slots[k].kind == slot_kind::vec && c.operands[k].stride != 1)
            throw error(fmt::format(
                "{}: an sk::vec parameter takes elements that follow each other, and operand {} has a stride of {}; "
                "copy the column to a vector first",
                c.site->what.name, k + 1, c.operands[k].stride));
}

/// What sk::stencil could not see at compile time: of what rank an expression under a hood is.
void check_hoods(const call& c)
{
    const stencil_shape& s = c.site->what.stencil;
    const bool lines_of_matrix = s.rank == 1 && c.rank == 2;
    if (s.rank > 0 && ((s.rank != c.rank && !lines_of_matrix) || (s.down && c.rank == 1)))
        throw error(fmt::format("{}: its hoods have {} dimension(s), but what they look around in has {}",
                                c.site->what.name, s.down ? 2 : s.rank, c.rank));
}

/// A reduction of nothing is its start value.
void execute_empty(const call& c)
{
    const recipe& r = c.site->what;
    if (r.kind == skeleton::all_pairs && c.rows > 0 && c.cols > 0) { // rows of no elements
        if (!c.start)
            throw error(
                fmt::format("{}: rows of 0 elements have no value without a start value; write sk::all_pairs(zip, op, "
                            "start)",
                            r.name));
        fill_storage(*c.operands[r.slots.size() - 1].data, c.start);
        return;
    }
    if (r.kind == skeleton::filter) cut_host_data(*static_cast<storage_ref*>(c.value), 0);
    if (has_result_slot(r.kind) || r.kind == skeleton::accumulate) return;
    const std::size_t values = c.value ? 1 : c.result.cols;
    if (values == 0) return;
    if (!c.start)
        throw error(fmt::format("{}: {} x {} elements have no value without a start value; write sk::reduce(op, start)",
                                r.name, c.rows, c.cols));
    if (c.value) std::memcpy(c.value, c.start, r.result_size);
    else fill_storage(*c.result.data, c.start);
}

// --- inline ------------------------------------------------------------------------------------------------------

constexpr std::size_t few_slots = 16;

/// Slot views of the whole call in host memory.
class host_views
{
public:
    explicit host_views(const call& c) : many_(c.site->what.slots.size() > few_slots ? c.site->what.slots.size() : 0)
    {
        const recipe& r = c.site->what;
        for (std::size_t k = 0; k < r.slots.size(); ++k) {
            const operand& o = c.operands[k];
            const bool element = is_elementwise(r.slots[k].kind);
            void* data = o.data ? o.data->data + o.offset * r.slots[k].size : const_cast<void*>(o.value);
            data_()[k] = {data, 0, element ? c.rows : o.rows, element ? c.cols : o.cols, o.ld, o.stride};
        }
    }
    const slot_view* get() { return data_(); }

private:
    slot_view* data_() { return many_.empty() ? few_.data() : many_.data(); }
    std::array<slot_view, few_slots> few_;
    std::vector<slot_view> many_;
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
            const bool result = r.kind == skeleton::map && k + 1 == r.slots.size();
            if (r.slots[k].kind != slot_kind::output && !result) continue;
            views_[k].data = room(count_ * r.slots[k].size);
            views_[k].stride = 1;
        }
        if (r.kind == skeleton::reduce) sum_ = room(r.result_size);
    }
    std::size_t evaluate() const
    {
        const cpu_functions& run = call_.site->what.cpu;
        const cpu_block block{{1, count_, 0, 0}, call_.width, views_.data()};
        if (call_.site->what.kind == skeleton::map) run.map(block);
        else if (sum_) run.fold(block, sum_, false);
        else run.probe(block);
        return count_;
    }

private:
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
    return probe_elements(c.cols, [&](std::size_t most) {
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
        all_ = !any_fault() && is_idle(e);
        if (!all_) return;
        lock_ = std::unique_lock(e.submission);
        all_ = is_idle(e);
        for_each_storage(c, [&](storage& s, bool written) {
            managed_state* const m = s.managed.load(std::memory_order_acquire);
            if (m) all_ = all_ && m->watched == 0 && (!written || m->acquired == 0) && is_at_hand(*m);
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
    /// Copies of containers are StarPU's own tasks, and no calls.
    static bool is_idle(const engine& e) { return e.calls_in_flight == 0 && starpu_task_nsubmitted() == 0; }

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

/// Small calls on data that is at hand run here and now. False: not this one. `free`: nobody said where it should run.
bool run_inline(engine& e, const call& c, device_set kinds, bool free)
{
    if (!kinds.has(device::cpu) || e.inline_limit_us() <= 0) return false;
    const double calls =
        static_cast<double>(c.rows) * static_cast<double>(c.cols) * static_cast<double>(c.depth) * c.steps;
    const skeleton kind = c.site->what.kind;
    float ns = c.site->inline_ns.load(std::memory_order_relaxed);
    const auto small = [&](float element_ns) { return element_ns * 1e-3 * calls <= e.inline_limit_us(); };
    if (!small(ns) && !e.cores_alone()) return false;
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
    constexpr double worth_an_episode_us = 1.5;
    const double us = ns * 1e-3 * calls;
    const bool of_episodes = free && small(ns) && us >= worth_an_episode_us;
    if (of_episodes && !e.program_episodes().runs_here(c, us)) return false;
    here.write();
    if (!small(ns)) return run_on_all_cores(e, c, kinds, views.get(), us);
    run_here(c, views.get());
    if (of_episodes && c.value) note_wait(e, nullptr);
    return true;
}

/// SKELRT_CHECK_CUDA: every kernel goes through NVRTC, too, GPU or not.
void check_kernels(const engine& e, const recipe& r)
{
    if (e.check_cuda().empty()) return;
#if SKELRT_HAVE_CUDA
    static std::mutex guard;
    static std::unordered_set<std::uint32_t> checked;
    {
        std::lock_guard lock(guard);
        if (!checked.insert(r.id).second) return;
    }
    cuda::check(r, e.check_cuda());
#else
    static_cast<void>(r);
    throw error("SKELRT_CHECK_CUDA is set, but this skelrt was built without the CUDA toolkit");
#endif
}

} // namespace

void execute(const call& c) { execute_first_of(1, c); }

void execute_first_of(std::size_t uses, const call& c)
{
    engine& e = require_engine(c.site->what.name.c_str());
    const device_set kinds = allowed_kinds() & e.available();
    check_views(c);
    check_whole_operands(c);
    check_hoods(c);
    check_accumulator(c);
    check_kernels(e, c.site->what);
    if (c.rows == 0 || c.cols == 0 || c.depth == 0) {
        execute_empty(c);
        return;
    }
    const timed_call timed(e, c);
    const plan_range* const obeyed = range_for(e, c);
    const bool free = !obeyed && kinds == e.available() && !is_trial();
    if (may_run_inline(obeyed) && run_inline(e, c, kinds, free)) return;
    reap();
    submit(e, c, kinds, uses);
}

bool may_write_elements(const recipe& what, const operand* operands, std::size_t inputs, const storage& to,
                        std::size_t element_size) noexcept
{
    for (std::size_t k = 0; k < inputs; ++k) {
        const operand& o = operands[k];
        if (o.data != &to) continue;
        const bool same_elements = what.slots[k].kind == slot_kind::element && o.offset == 0 && o.rows == to.rows &&
                                   o.cols == to.cols && o.ld == to.cols && o.stride == 1 &&
                                   what.slots[k].size == element_size;
        if (!same_elements) return false;
    }
    return true;
}

void renew_scalar(storage_ref& scalar, const recipe& what, const operand* operands, std::size_t inputs, bool reads)
{
    bool free = scalar.get() != nullptr, with_tasks = false;
    for (std::size_t k = 0; k < inputs; ++k) {
        if (!operands[k].data) continue;
        with_tasks = with_tasks || operands[k].data->managed.load(std::memory_order_acquire);
        if (operands[k].data == scalar.get()) free = free && reads;
    }
    if (free && (with_tasks || !scalar->managed.load(std::memory_order_acquire))) return;
    reap(); // scalars that come back may be taken
    storage* const known = with_tasks ? take_kept_scalar(what.result_size) : nullptr;
    scalar = storage_ref(known ? known : create_storage(1, 1, what.result_size));
}

void set_scalar(storage_ref& scalar, const void* value, std::uint32_t size)
{
    if (engine::current() && !inside_task()) reap(); // calls that are done use it no more
    if (!scalar || scalar->references.load(std::memory_order_acquire) > 1) {
        scalar = storage_ref(create_storage(1, 1, size));
        fill_storage(*scalar, value);
        return;
    }
    managed_state* const acquired = acquire(*scalar, access::write);
    std::memcpy(scalar->data, value, size);
    release(*scalar, access::write, acquired);
}

bool may_write_in_place(const recipe& what, const operand* operands, const operand& result) noexcept
{
    // The last slot is the result itself.
    for (std::size_t k = 0; k + 1 < what.slots.size(); ++k) {
        const operand& o = operands[k];
        if (o.data != result.data || !o.data) continue;
        const bool same_elements = what.slots[k].kind == slot_kind::element && o.offset == result.offset &&
                                   o.ld == result.ld && o.stride == result.stride &&
                                   what.slots[k].size == what.slots.back().size;
        if (!same_elements) return false;
    }
    return true;
}

namespace
{

std::string shape_text(const extent& x)
{
    switch (x.rank) {
    case 1:
        return fmt::format("a vector of {}", x.cols);
    case 2:
        return fmt::format("a matrix of {} x {}", x.rows, x.cols);
    case 3:
        return fmt::format("a tensor of {} x {} x {}", x.rows, x.inner[0], x.inner[1]);
    default:
        return fmt::format("a tensor of {} x {} x {} x {}", x.rows, x.inner[0], x.inner[1], x.inner[2]);
    }
}

} // namespace

void throw_shape_mismatch(const recipe& r, std::size_t argument, const extent& got, const extent& wanted)
{
    // The leaves are counted on beyond the operands: to where the results go.
    const bool to_result = has_result_slot(r.kind) && argument + 1 >= r.slots.size();
    const std::string which = to_result ? "the destination" : fmt::format("operand {}", argument + 1);
    throw error(
        fmt::format("{}: {} is {}, but the call works on {}; pass containers of one shape, or part of the larger one "
                    "(range, sub, row, column)",
                    r.name, which, shape_text(got), shape_text(wanted)));
}

void check_distinct(const recipe& r, const void* const* containers, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (containers[i] == containers[j])
                throw error(fmt::format("{}: results {} and {} go to the same container; sk::tie takes different ones",
                                        r.name, j + 1, i + 1));
}

void throw_index_rank(const recipe& r, int index, const extent& x)
{
    throw error(fmt::format("{}: its function asks for sk::index{}, but the call works on {}; sk::index1 counts the "
                            "elements of any shape, sk::index{} is the position in this one",
                            r.name, index, shape_text(x), x.rank));
}

void throw_not_contiguous()
{
    throw error(
        "sk::accumulator: the elements of the container do not follow each other (a column, or part of the columns "
        "of a matrix); add to a vector first");
}

void throw_not_a_matrix(const recipe& r, const extent& x)
{
    throw error(fmt::format("{}: by row and by column are for matrices, and this is {}; write t.plane(i) or t.flat() "
                            "for a matrix of its elements",
                            r.name, shape_text(x)));
}

void throw_not_a_vector(const recipe& r, const extent& x)
{
    throw error(fmt::format("{}: it sorts vectors, and this is {}; sort its rows or columns (m.row(i), m.column(j))",
                            r.name, shape_text(x)));
}

void check_keys_and_values(const recipe& r, const operand& keys, const operand& values)
{
    if (keys.cols != values.cols)
        throw error(fmt::format("{}: {} values for {} keys; pass as many, or part of the longer one (range)", r.name,
                                values.cols, keys.cols));
    if (keys.data != values.data || keys.cols == 0) return;
    const auto end = [](const operand& o) { return o.offset + (o.cols - 1) * o.stride; };
    const std::size_t apart = std::max(keys.offset, values.offset) - std::min(keys.offset, values.offset);
    const bool interleaved = keys.stride == values.stride && apart % keys.stride != 0; // two columns
    if (end(keys) < values.offset || end(values) < keys.offset || interleaved) return;
    throw error(fmt::format("{}: keys and values are the same elements of one container; sort values by a copy of them",
                            r.name));
}

void throw_side_mismatch(const recipe& r, std::size_t argument, std::size_t got, bool rows, std::size_t wanted,
                         bool matrix)
{
    const char* side = rows ? "row" : "column";
    if (!matrix)
        throw error(
            fmt::format("{}: operand {} has one element per {}, but the call works on a vector; pass a matrix, or "
                        "the operand without sk::per_{}",
                        r.name, argument + 1, side, side));
    throw error(
        fmt::format("{}: operand {} has {} elements (or rows), one per {} of the result, but the call has {} {}s; "
                    "pass part of the larger one (range, sub)",
                    r.name, argument + 1, got, side, wanted, side));
}

void throw_not_a_matrix(const recipe& r, std::size_t size)
{
    throw error(
        fmt::format("{}: it works on the rows or columns of a matrix, but the operand is a vector of {}; call it "
                    "without by_row and by_column",
                    r.name, size));
}

void throw_depth_mismatch(const recipe& r, std::size_t left_rows, std::size_t left_cols, std::size_t right_rows,
                          std::size_t right_cols)
{
    throw error(
        fmt::format("{}: rows of {} elements on the left ({} x {}) meet rows of {} on the right ({} x {}); pass sides "
                    "with as many columns, sk::transpose of a side, or a part of it (sub)",
                    r.name, left_cols, left_rows, left_cols, right_cols, right_rows, right_cols));
}

void throw_no_shape(const recipe& r)
{
    throw error(fmt::format("{}: nothing tells over how many elements; pass a container, or sk::shape(n) or "
                            "sk::shape(rows, columns) as the first argument of the map",
                            r.name));
}

void throw_indices_of_nothing(const char* what, const extent& indices)
{
    throw error(
        fmt::format("{}: the indices are {}, but what they point into has no elements", what, shape_text(indices)));
}

void throw_range(const char* what, std::size_t first, std::size_t count, std::size_t size)
{
    throw error(fmt::format("{}: {} elements from number {} on do not lie in {}", what, count, first, size));
}

void throw_size_mismatch(const char* what, std::size_t got, std::size_t wanted)
{
    throw error(fmt::format("{}: {} instead of {}", what, got, wanted));
}

} // namespace skelrt::detail
