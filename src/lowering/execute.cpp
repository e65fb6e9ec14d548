// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/release.hpp"
#include "src/lowering/caller/inline_calls.hpp"
#include "src/lowering/caller/trial_log.hpp"
#include "src/lowering/checks/racing_operands.hpp"
#include "src/lowering/checks/unwritten_operands.hpp"
#include "src/lowering/filter.hpp"
#include "src/lowering/place/overlap.hpp"
#include "src/lowering/place/storages_of.hpp"
#include "src/lowering/ranks/execute_share.hpp"
#include "src/lowering/ranks/needs/lines.hpp"
#include "src/lowering/ranks/not_yet.hpp"
#include "src/lowering/replay/recorder.hpp"
#include "src/lowering/submit.hpp"
#include "src/lowering/summary/call_summary.hpp"
#include "src/lowering/summary/traced_call.hpp"

#include "src/data/managed.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/data/memory/kept.hpp"
#include "src/lowering/engine.hpp"
#include "src/program/now_ns.hpp"
#include "src/program/of_one_rank.hpp"
#include "src/program/program.hpp"
#include "src/program/strand.hpp"
#include "src/runtime/visit.hpp"

#include "src/config.hpp"
#if SKELRT_HAVE_CUDA
#include "codelets/cuda/cuda.hpp"
#endif
#include "codelets/work.hpp"

#include <skelrt/detail/call.hpp>
#include <skelrt/detail/over_ranks.hpp>
#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <cstring>
#include <mutex>
#include <unordered_set>

/// The way of a call after the front end: checks, then inline on the calling thread or as tasks.
namespace skelrt::detail
{

namespace
{

[[noreturn]] void throw_view_open(const call& c, const storage& s)
{
    throw error(
        fmt::format("{}: a host view of one of its containers ({} x {} elements) is open; let it go out of scope "
                    "before the call",
                    c.site->what.name, s.shape_rows, s.shape_cols));
}

/// Throws where a host view is in the way. Whether tasks know one of the containers, or left an error in one.
bool look_at_containers(const call& c)
{
    bool tasks = false;
    for_each_container(c, [&](const operand& o, bool written) {
        storage& s = *o.data;
        if (s.writers.load(std::memory_order_relaxed) > 0 || (written && s.readers.load(std::memory_order_relaxed) > 0))
            throw_view_open(c, s);
        tasks = tasks || s.managed.load(std::memory_order_acquire) || host_part(s).left_fault;
    });
    return tasks;
}

/// The functions add to copies, and some of them straight to the container: what they read must not change under them.
void check_accumulator(const call& c)
{
    const recipe& r = c.site->what;
    if (r.kind != skeleton::accumulate) return;
    const std::size_t begins = has_one_copy(r.rule) ? 1 : 0; // the slot of the elements' own
    for (std::size_t a = 0; a < r.slots.size(); ++a) {
        if (r.slots[a].kind != slot_kind::accumulator || !c.operands[a].data) continue;
        for (std::size_t k = 0; k + begins < r.slots.size(); ++k)
            if (k != a && c.operands[k].data == c.operands[a].data)
                throw error(
                    fmt::format("{}: operand {} is the container that the call {}; take a copy, or another container",
                                r.name, k + 1, r.rule == accumulate_rule::write ? "sets" : "adds to"));
    }
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
    if (r.kind == skeleton::filter) filter_nothing(*static_cast<filtered*>(c.value));
    if (has_result_slot(r.kind) || r.kind == skeleton::accumulate) return;
    const std::size_t values = c.value ? 1 : c.result.cols;
    if (values == 0) return;
    if (!c.start)
        throw error(fmt::format("{}: {} x {} elements have no value without a start value; write sk::reduce(op, start)",
                                r.name, c.rows, c.cols));
    if (c.value) std::memcpy(c.value, c.start, r.result_size);
    else fill_storage(*c.result.data, c.start);
}

/// SKELRT_CHECK_CUDA: every kernel goes through NVRTC, too, GPU or not.
void check_kernels([[maybe_unused]] const engine& e, [[maybe_unused]] const recipe& r)
{
#if SKELRT_HAVE_CUDA
    static std::mutex guard;
    static std::unordered_set<std::uint32_t> checked;
    {
        std::lock_guard lock(guard);
        if (!checked.insert(r.id).second) return;
    }
    cuda::check(r, e.wanted.check_cuda);
#else
    throw error("SKELRT_CHECK_CUDA is set, but this skelrt was built without the CUDA toolkit");
#endif
}

} // namespace

void execute(const call& c) { execute_first_of(1, c); }

namespace
{

/// On this rank.
void execute_here(engine& e, const short_visit& visit, std::size_t uses, const call& c)
{
    const bool tasks_know = look_at_containers(c);
    if (!e.wanted.check_cuda.empty()) check_kernels(e, c.site->what);
    if (e.wanted.checks_unwritten) check_written(c);
    if (watches_races()) check_races(c);
    if (c.rows == 0 || c.cols == 0 || c.depth == 0) {
        execute_empty(c);
        return;
    }
    const traced_call traced(c);
    const request r = request_of(e, c, uses);
    program::current().note_work(c.site->what.id, evaluations(c));
    const timed_call timed(e, c, r.obeyed);
    const double begin = e.summary() ? now_us() : 0;
    if (!c.foreign && run_inline(e, c, r, tasks_know)) {
        if (e.summary()) e.summary()->add_inline(c.site->what.name, now_us() - begin);
        return;
    }
    visit.goes_on(c.site->what.name.c_str());
    reap();
    submit(e, c, r);
}

} // namespace

void execute_first_of(std::size_t uses, const call& c)
{
    const char* const name = c.site->what.name.c_str();
    const short_visit visit(name);
    engine& e = engine::of(visit.runtime());
    check_hoods(c);
    check_accumulator(c);
    const auto here = [&](const call& mine) { execute_here(e, visit, uses, mine); };
    if (!e.cluster && !e.recorder()) return here(c);
    if (!e.cluster) {
        refuse_reversed(c); // ranks would
        return e.recorder()->record(c, here);
    }
    if (is_of_one_rank()) {
        refuse_dealt_out(c);
        return here(c);
    }
    look_at_containers(c);
    refuse_reversed(c);
    visit.goes_on(name);
    const traced_call traced(c);
    execute_over_ranks(e, c, here);
}

bool may_write_elements(const recipe& what, const operand* operands, std::size_t inputs, const storage& to,
                        std::size_t element_size) noexcept
{
    for (std::size_t k = 0; k < inputs; ++k) {
        const operand& o = operands[k];
        if (o.data != &to) continue;
        const bool same_elements = what.slots[k].kind == slot_kind::element && o.offset == 0 &&
                                   o.rows == to.shape_rows && o.cols == to.shape_cols && o.ld == to.shape_cols &&
                                   o.stride == 1 && what.slots[k].size == element_size;
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
    const patient_visit visit;
    reap(); // scalars that come back may be taken
    storage* const known = with_tasks ? take_kept_scalar(what.result_size) : nullptr;
    scalar = storage_ref(known ? known : create_scalar(what.result_size));
}

void set_scalar(storage_ref& scalar, const void* value, std::uint32_t size)
{
    if (!inside_task()) {
        const patient_visit visit;
        if (visit.runtime()) reap(); // calls that are done use it no more
    }
    if (!scalar || scalar->references.load(std::memory_order_acquire) > 1) {
        scalar = storage_ref(create_scalar(size));
        fill_storage(*scalar, value);
        return;
    }
    managed_state* const acquired = acquire(*scalar, access::write);
    std::memcpy(scalar->data, value, size);
    release(*scalar, access::write, acquired);
}

bool may_add_to(const storage& to, const operand* operands, std::size_t count) noexcept
{
    const engine* const e = engine::current();
    const bool over_ranks = e && ((e->cluster && !is_of_one_rank()) || e->recorder());
    return !over_ranks && std::none_of(operands, operands + count, [&](const operand& o) { return o.data == &to; });
}

bool lie_together(const operand& a, const operand& b) noexcept
{
    if (!a.data->dealt && !b.data->dealt) return true;
    const line_operand of_a{a.data->dealt, a.offset, a.stride}, of_b{b.data->dealt, b.offset, b.stride};
    const unsigned ranks = (a.data->dealt ? a : b).data->dealt->ranks();
    return is_aligned(of_a, of_b, a.cols, ranks) && is_aligned(of_b, of_a, a.cols, ranks);
}

bool may_write_in_place(const recipe& what, const operand* operands, const operand& result) noexcept
{
    // Grids are whole containers, or ranks share what lies alike in them.
    const auto is_all = [](const operand& o) { return o.rows * o.cols == o.data->shape_rows * o.data->shape_cols; };
    const auto is_whole_grid = [&](std::size_t k) {
        return has_surroundings(what.slots[k].kind) && is_all(operands[k]) && operands[k].cols == result.cols;
    };
    if (what.kind == skeleton::stencil && result.data->dealt && !is_all(result))
        for (std::size_t k = 0; k + 1 < what.slots.size(); ++k)
            if (is_whole_grid(k)) return false;
    // The last slot is the result itself.
    for (std::size_t k = 0; k + 1 < what.slots.size(); ++k) {
        const operand& o = operands[k];
        if (o.data != result.data || !o.data) continue;
        const slot_kind kind = what.slots[k].kind;
        // A line of another part of the matrix: a tile of it, or what moves along. Ranks would have to send it first.
        const bool is_side =
            !result.data->dealt && (kind == slot_kind::row_element || kind == slot_kind::column_element);
        // What is read whole, or around a position, would make a task wait for others that write where it reads.
        if ((kind != slot_kind::element && !is_side) || what.slots[k].size != what.slots.back().size) return false;
        const bool same_elements =
            !is_side && o.offset == result.offset && o.ld == result.ld && o.stride == result.stride;
        if (!same_elements && may_overlap(o, result)) return false;
    }
    return true;
}

} // namespace skelrt::detail
