// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/caller/inline_calls.hpp"

#include "src/lowering/caller/inline_stencil.hpp"
#include "src/lowering/caller/learn_costs.hpp"
#include "src/lowering/caller/shares.hpp"
#include "src/lowering/decide/caller.hpp"
#include "src/lowering/decide/decision_log.hpp"
#include "src/lowering/filter.hpp"
#include "src/lowering/place/storages_of.hpp"
#include "src/lowering/summary/traced_call.hpp"
#include "src/lowering/summary/traced_task.hpp"
#include "src/runtime/cores/compute_right.hpp"

#include "src/data/managed.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/data/use_here.hpp"
#include "src/model/knowledge.hpp"
#include "src/program/program.hpp"
#include "src/runtime/cores/team.hpp"
#include "src/runtime/log.hpp"
#include "src/runtime/order/ended.hpp"

#include "codelets/accumulated.hpp"
#include "codelets/blas/plane_product.hpp"
#include "codelets/cpu/cpu.hpp"
#include "codelets/cpu/pairs/pair_choice.hpp"
#include "codelets/cpu/pieces.hpp"
#include "codelets/cpu/skeletons.hpp"
#include "codelets/cpu/sort.hpp"
#include "codelets/element_memory.hpp"
#include "codelets/index_fault.hpp"
#include "codelets/work.hpp"

#include <skelrt/detail/loops/zeros.hpp>
#include <skelrt/view.hpp>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <vector>

namespace skelrt::detail
{

static_assert(most_align <= element_align);

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

/// Times what runs.
class stopwatch
{
public:
    double us() const { return std::chrono::duration<double, std::micro>(clock::now() - begin_).count(); }

private:
    using clock = std::chrono::steady_clock;
    clock::time_point begin_ = clock::now();
};

/// What a trial took.
struct trial {
    std::size_t elements = 0;
    double us = std::numeric_limits<double>::max();
    double element_ns() const { return us * 1e3 / static_cast<double>(elements); }
};

/// `evaluate` runs the user function on a few elements, drops the results and says how many. The first round meets code
/// and pages that nobody has used yet, some hundred microseconds; it is enough to know functions that are dearer.
template <class Evaluate>
trial probe(Evaluate evaluate)
{
    constexpr double dear_us = 100, dearer_than_cold_us = 1000;
    trial best;
    for (int round = 0; round < 3; ++round) {
        const stopwatch watch;
        best.elements = evaluate();
        const double us = watch.us();
        best.us = std::min(best.us, us);
        if (us > (round == 0 ? dearer_than_cold_us : dear_us)) break;
    }
    return best;
}

/// A trial of some elements of a call without hoods, by the loops that tasks run, so that it is as fast as these. They
/// lie in several places, for what an element costs may depend on where it is; what goes along the elements takes the
/// first ones. All results go to memory of their own, for a call may be in place and its function must not see what it
/// made itself. Ready before the clock runs.
class some_elements
{
public:
    some_elements(const call& c, const slot_view* views, std::size_t most) : call_(c)
    {
        const std::size_t count = goes_along(c.site->what.kind) ? 1 : std::min(places, c.rows * c.cols),
                          each = std::max<std::size_t>(most / count, 1);
        cols_ = std::min(c.cols, each);
        rows_ = runs_along(c.site->what.kind) ? 1 : std::min(c.rows, each / cols_);
        for (std::size_t k = 0; k < count; ++k)
            places_.push_back(place_at(views, amid(c.rows - rows_, k, count), amid(c.cols - cols_, k, count)));
        give_rooms();
    }
    std::size_t evaluate() const
    {
        for (const place& p : places_) evaluate(p);
        return rows_ * cols_ * places_.size();
    }

private:
    static constexpr std::size_t places = 3;
    struct place {
        std::size_t row, col;
        std::vector<slot_view> views;
    };

    static bool runs_along(skeleton kind) { return kind == skeleton::scan || kind == skeleton::scan_rows; }
    static bool goes_along(skeleton kind) { return runs_along(kind) || kind == skeleton::wavefront; }
    static void* from_zeros(std::byte* state, std::size_t bytes) { return std::memset(state, 0, bytes); }
    /// Of `range` the middle of part k.
    static std::size_t amid(std::size_t range, std::size_t k, std::size_t parts)
    {
        return parts == 1 ? 0 : range / (2 * parts) * (2 * k + 1);
    }

    place place_at(const slot_view* views, std::size_t row, std::size_t col) const
    {
        const recipe& r = call_.site->what;
        place p{row, col, {views, views + r.slots.size()}};
        for (std::size_t k = 0; k < r.slots.size(); ++k)
            if (is_elementwise(r.slots[k].kind) && p.views[k].data)
                p.views[k].data = static_cast<std::byte*>(p.views[k].data) +
                                  way(row * p.views[k].ld + col * p.views[k].stride, r.slots[k].size);
        return p;
    }

    void give_rooms()
    {
        const recipe& r = call_.site->what;
        const bool stores = r.kind == skeleton::map || goes_along(r.kind);
        for (std::size_t k = 0; k < r.slots.size(); ++k) {
            if (r.slots[k].kind != slot_kind::output && !(stores && k + 1 == r.slots.size())) continue;
            std::byte* const own = room(rows_ * cols_ * r.slots[k].size);
            for (place& p : places_) p.views[k].data = own, p.views[k].ld = cols_, p.views[k].stride = 1;
        }
        if (r.kind == skeleton::reduce) sum_ = room(r.result_size);
        else if (runs_along(r.kind)) sum_ = room(r.cpu.scan_state);
        else if (r.kind == skeleton::accumulate && !has_one_copy(r.rule)) give_copy();
    }

    /// What functions add to: what they come to matters to nobody, so it lasts for all rounds. Where there is one copy,
    /// functions may see each position once only, and recipe::probe has a fresh one.
    void give_copy()
    {
        const recipe& r = call_.site->what;
        const std::size_t bytes = accumulated_values(r, places_.front().views) * r.result_size;
        copy_.emplace(bytes / sizeof(aligned_bytes) + 1);
        if (!*copy_) throw std::bad_alloc();
    }

    void evaluate(const place& p) const
    {
        const cpu_functions& run = call_.site->what.cpu;
        const segment all = space_of(call_);
        const cpu_block block{
            {rows_, cols_, all.row0 + p.row, all.col0 + p.col}, call_.width, p.views.data(), &call_.site->what};
        const skeleton kind = call_.site->what.kind;
        if (kind == skeleton::map) run.map(block);
        else if (kind == skeleton::wavefront) run.wavefront(block, amid_one_value(p));
        else if (runs_along(kind)) run.scan(block, from_zeros(sum_, run.scan_state), false);
        else if (sum_) run.fold(block, sum_, false);
        else if (copy_) run.fold(block, copy_->get(), true);
        else run.probe(block);
    }

    /// Its edges matter little to what it costs.
    static block_front amid_one_value(const place& p)
    {
        const void* const value = p.views.front().data;
        return {value, 0, value, 0, value, p.views.back()};
    }

    std::byte* room(std::size_t bytes) { return results_.emplace_back(bytes).data(); }

    struct alignas(element_align) aligned_bytes {
        std::byte all[element_align];
    };
    const call& call_;
    std::byte* sum_ = nullptr;
    std::optional<zeros<aligned_bytes>> copy_; ///< of accumulators
    std::vector<place> places_;
    std::vector<element_memory> results_;
    std::size_t cols_ = 0, rows_ = 0;
};

/// `some(n)` evaluates at most n elements. A few take no longer than a look at the clock: cheap ones are tried again,
/// more at a time.
template <class Some>
trial probe_elements(std::size_t there, Some some)
{
    constexpr std::size_t many = 1024;
    constexpr double cheap_ns = 100;
    const trial few = probe(some(telling_elements));
    if (few.element_ns() > cheap_ns || there <= telling_elements) return few;
    const trial more = probe(some(many));
    return more.element_ns() < few.element_ns() ? more : few;
}

trial probe_map(const call& c, const slot_view* views)
{
    return probe_elements(c.rows * c.cols, [&](std::size_t most) {
        return [some = some_elements(c, views, most)] { return some.evaluate(); };
    });
}

trial probe_stencil(const call& c, const slot_view* views)
{
    return probe_elements(c.rows * c.cols, [&](std::size_t most) {
        auto all = std::make_shared<inline_stencil>(c, views);
        all->prepare_probe(most);
        return [all] { return all->probe(); };
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

/// On a copy, behind which there is room for who has written an element.
void write_checked(const call& c, const cpu_block& all, const slot_view& to)
{
    const recipe& r = c.site->what;
    auto* const out = static_cast<std::byte*>(to.data);
    const std::size_t bytes = to.cols * r.result_size, behind = writer_bytes_of(r, to.cols);
    const element_memory copy(bytes + behind);
    std::copy_n(out, bytes, copy.data());
    std::fill_n(copy.data() + bytes, behind, std::byte{0});
    r.cpu.fold(all, copy.data(), true);
    std::copy_n(copy.data(), bytes, out);
}

/// Straight into the containers.
void accumulate_inline(const call& c, const cpu_block& all)
{
    const recipe& r = c.site->what;
    const auto to = std::ranges::find(r.slots, slot_kind::accumulator, &slot_type::kind) - r.slots.begin();
    if (writer_bytes_of(r, 1) > 0) write_checked(c, all, all.slots[to]);
    else r.cpu.fold(all, nullptr, true);
}

void reduce_inline(const call& c, const cpu_block& all)
{
    const recipe& r = c.site->what;
    value_room room(r.result_size);
    std::byte* const temporary = room.data();
    auto* out = static_cast<std::byte*>(c.value ? c.value : c.result.data->data + c.result.offset * r.result_size);
    if (r.kind == skeleton::reduce) {
        fold_into(c, all, out, temporary);
        return;
    }
    const work w{r, c.matrix, c.width, std::span(&all.where, 1), std::span(all.slots, r.slots.size())};
    cpu::prepare_product(w);
    const bool by_blas = cpu::goes_to_blas(w);
    if (r.kind == skeleton::reduce_rows) return cpu::fold_rows(r, all, c.start, out, by_blas);
    if (c.start)
        for (std::size_t i = 0; i < c.cols; ++i) std::memcpy(out + i * r.result_size, c.start, r.result_size);
    cpu::fold_columns(r, all, out, c.start != nullptr, by_blas);
}

/// Of exclusive scans, too: these have a start value.
void scan_inline(const call& c, const cpu_block& all)
{
    const recipe& r = c.site->what;
    const std::size_t values = r.kind == skeleton::scan_columns ? c.cols : 1;
    const std::size_t bytes = std::max<std::size_t>(values * r.result_size, r.cpu.scan_state);
    value_room memory(bytes);
    std::byte* const running = memory.data();
    const auto set_start = [&] {
        std::memset(running, 0, r.cpu.scan_state);
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
                row[k].data = static_cast<std::byte*>(all.slots[k].data) + way(i * row[k].ld, r.slots[k].size);
        set_start();
        r.cpu.scan(cpu_block{{1, c.cols, c.first_line + i, 0}, c.width, row.data(), &r}, running, c.start != nullptr);
    }
}

/// Without the preparations of a share, but for what a BLAS does.
void map_inline(const call& c, const cpu_block& all)
{
    const recipe& r = c.site->what;
    if (!blas::plane_product_of(r)) return r.cpu.map(all);
    cpu::map({r, c.matrix, c.width, std::span(&all.where, 1), std::span(all.slots, r.slots.size())}, 0,
             all.where.rows * all.where.cols);
}

/// Some rows of a matrix, as the one share of a task: all pairs, wavefronts.
void run_as_share(const call& c, const slot_view* views, std::size_t rows, std::size_t cols, std::size_t depth)
{
    const segment all{rows, cols, c.first_line, 0};
    work w{c.site->what, true, c.cols, std::span(&all, 1), std::span(views, c.site->what.slots.size())};
    w.depth = depth;
    w.start = c.start;
    w.begun = c.begun;
    if (c.site->what.kind == skeleton::all_pairs) cpu::prepare_product(w);
    cpu::partials none(w, 1);
    cpu::run_share(w, none, 0, 1);
}

/// A first tile of the result, elsewhere: it may hold what is added to. Returns how many pairs it zipped.
std::size_t first_pairs(const call& c, const slot_view* views)
{
    const recipe& r = c.site->what;
    const pair_functions& f = *r.cpu.pairs;
    const std::size_t rows = std::min<std::size_t>(f.tile_rows, c.rows),
                      cols = std::min<std::size_t>(f.tile_cols, c.cols), depth = std::min<std::size_t>(c.depth, 64);
    std::vector<slot_view> with_room(views, views + r.slots.size());
    const element_memory room(rows * cols * r.result_size);
    with_room.back() = {room.data(), 0, rows, cols, cols, 1};
    call first = c;
    first.begun = false;
    run_as_share(first, with_room.data(), rows, cols, depth);
    return rows * cols * depth;
}

/// The first elements, at most so many, sorted elsewhere. Returns how many comparisons that takes.
std::size_t sort_first(const call& c, const slot_view* views, std::size_t most)
{
    const sort_functions& f = *c.site->what.cpu.sort;
    const std::size_t n = std::min(c.cols, most);
    const element_memory items(n * f.item_size);
    f.load(cpu_block{{1, n, 0, 0}, c.width, views, &c.site->what}, items.data());
    f.sort(items.data(), n);
    return n * static_cast<std::size_t>(std::bit_width(n));
}

trial probe_sort(const call& c, const slot_view* views)
{
    return probe_elements(c.cols,
                          [&](std::size_t most) { return [&c, views, most] { return sort_first(c, views, most); }; });
}

void sort_inline(const call& c, const slot_view* views)
{
    const segment all{1, c.cols, 0, 0};
    cpu::sort_alone({c.site->what, false, c.width, std::span(&all, 1), std::span(views, c.site->what.slots.size())});
}

/// The containers of a call that the calling thread may use itself, for as long as this lives: tasks never saw them, or
/// have left them in the host's memory. Then nobody else gets at them meanwhile. It begins with the lock, if tasks know
/// one of them.
class containers_at_hand
{
public:
    /// `tasks_know`: see run_inline().
    containers_at_hand(engine& e, const call& c, bool tasks_know) : call_(c)
    {
        if (!tasks_know) return;
        if (is_in_use()) let_ended_go(); // of the calls that use them, those that are done
        all_ = !is_in_use();             // most calls of GPUs end here
        if (!all_) return;
        lock_ = std::unique_lock(e.order);
        for_each_storage(c, [&](storage& s, bool written) {
            if (managed_state* const m = s.managed.load(std::memory_order_acquire))
                all_ = all_ && m->is_unused(written) && m->is_idle() && should_be_at_hand(*m);
        });
        for_each_storage(c, [&](storage& s, bool) {
            managed_state* const m = s.managed.load(std::memory_order_acquire);
            // Errors travel with tasks: to who reads, and away from what is written anew.
            all_ = all_ && (m ? is_at_hand(*m) && !find_fault(*m, UINT64_MAX) : !host_part(s).left_fault);
        });
        if (all_) mark();
    }
    /// What the call writes is the host's from now on. With the lock.
    void write() const
    {
        if (!marks_) return;
        for_each_storage(call_, [](storage& s, bool written) {
            managed_state* const m = s.managed.load(std::memory_order_acquire);
            if (m && written) note_host_write(*m);
        });
    }
    /// User functions may make others wait, or wait for them: they run without it.
    void unlock()
    {
        if (lock_) lock_.unlock();
    }
    void lock()
    {
        if (marks_) lock_.lock();
    }
    containers_at_hand(const containers_at_hand&) = delete;
    containers_at_hand& operator=(const containers_at_hand&) = delete;
    explicit operator bool() const { return all_; }

private:
    bool is_in_use() const
    {
        bool used = false;
        for_each_storage(call_, [&](storage& s, bool) {
            const managed_state* const m = s.managed.load(std::memory_order_acquire);
            used = used || (m && !m->is_idle());
        });
        return used;
    }
    void mark()
    {
        marks_.emplace(call_.site->what.slots.size() + 1);
        for_each_storage(call_, [&](storage& s, bool written) {
            if (managed_state* const m = s.managed.load(std::memory_order_acquire)) marks_->add(*m, written);
        });
    }

    const call& call_;
    bool all_ = true;
    std::unique_lock<submission_order> lock_;
    std::optional<use_here> marks_;
};

void run_here(const call& c, const slot_view* views)
{
    const in_user_code mark;
    const cpu_block all{space_of(c), c.width, views, &c.site->what};
    switch (c.site->what.kind) {
    case skeleton::stencil:
        inline_stencil(c, views).run();
        break;
    case skeleton::all_pairs:
    case skeleton::wavefront:
        run_as_share(c, views, c.rows, c.cols, c.depth);
        break;
    case skeleton::sort:
        sort_inline(c, views);
        break;
    case skeleton::map:
        map_inline(c, all);
        break;
    case skeleton::filter:
        filter_here(c.site->what, all, *static_cast<filtered*>(c.value));
        break;
    case skeleton::scan:
    case skeleton::scan_rows:
    case skeleton::scan_columns:
        scan_inline(c, all);
        break;
    case skeleton::reduce:
    case skeleton::reduce_rows:
    case skeleton::reduce_columns:
        reduce_inline(c, all);
        break;
    case skeleton::accumulate:
        accumulate_inline(c, all);
        break;
    }
}

/// What a call of this kind costs the calling thread, by a trial.
element_costs::cost try_first(models& learnt, const call& c, const slot_view* views)
{
    const in_user_code mark;
    const skeleton kind = c.site->what.kind;
    const trial first = kind == skeleton::stencil     ? probe_stencil(c, views)
                        : kind == skeleton::sort      ? probe_sort(c, views)
                        : kind == skeleton::all_pairs ? probe([&] { return first_pairs(c, views); })
                                                      : probe_map(c, views);
    learnt.observe(c.site->what, executor::core, first.elements, first.us);
    c.site->core.set(evaluations(c), first.element_ns());
    log_debug("{}: {} elements tried on one core: {:.2f} ns each", c.site->what.name, first.elements,
              first.element_ns());
    return c.site->core.of(evaluations(c));
}

/// So long a call takes at least that is always timed, and makes its thread a guest on its core: a look at the clock
/// takes as long as some hundred elements.
constexpr double worth_timing_us = 2;

bool is_timed(const element_costs::cost& core, double us)
{
    return us >= worth_timing_us || !core.sure() || program::current().sample.takes_next();
}

void run_and_learn(models& learnt, const call& c, const slot_view* views, const caller_decision& who)
{
    if (!is_timed(who.cost(), who.us())) return run_here(c, views);
    std::optional<as_guest> here;
    if (who.us() >= worth_timing_us && callers_meet() && !compute_right::current()) here.emplace();
    const stopwatch watch;
    run_here(c, views);
    learn_from(learnt, c.site->what, c.site->core, executor::core, evaluations(c), watch.us());
}

/// False: another thread leads them.
bool lead_all_cores(engine& e, const call& c, const slot_view* views)
{
    const std::uint64_t begin_ns = tracing() ? trace_now_ns() : 0;
    if (!run_on_all_cores(e, c, views)) return false;
    traced_task::led(c.site->what.name, evaluations(c), begin_ns);
    return true;
}

} // namespace

bool run_inline(engine& e, const call& c, const request& r, bool tasks_know)
{
    caller_decision who(e, c, r);
    if (who.way() == caller_way::tasks) return false;
    containers_at_hand here(e, c, tasks_know);
    if (!here) return false;
    host_views views(c);
    if (who.wants_trial()) {
        here.unlock();
        who.learns(try_first(e.learnt.models, c, views.get()));
        here.lock();
    }
    if (!who.stays()) return false;
    here.write();
    here.unlock();
    if (who.way() == caller_way::with_all_cores && !lead_all_cores(e, c, views.get())) who.cores_are_taken();
    if (who.way() == caller_way::tasks) return false;
    const bool led = who.way() == caller_way::with_all_cores;
    log_decision(c, who.is_free(), led ? "all cores, led by the calling thread" : "inline");
    if (traced_call* const t = traced_call::current()) t->is_done_here(led, who.us(), who.is_free());
    if (!led) run_and_learn(e.learnt.models, c, views.get(), who);
    who.is_done();
    return true;
}

} // namespace skelrt::detail
