// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "schedulers/hint.hpp"
#include "src/data/managed.hpp"
#include "src/data/memory/memory.hpp"
#include "src/lowering/traits.hpp"
#include "src/runtime/order/ended.hpp"

#include "codelets/accumulated.hpp"
#include "codelets/work.hpp"

#include <skelrt/detail/call.hpp>

#include <starpu.h>

#include <atomic>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <span>
#include <vector>

namespace skelrt::detail
{

class episodes;
class foreign_lines;
class program;
struct kernel_span;

class submitted_call;

/// Where a slot's data is: which handle of its task, and how many bytes behind the handle's first element.
struct slot_ref {
    static constexpr std::uint32_t uniform = ~0u;  ///< no handle: the value lies in the call
    static constexpr std::uint32_t host = ~0u - 1; ///< no handle's pointer: host memory (whole operands on the CPU)
    std::uint32_t handle = uniform;
    std::size_t offset = 0;
};

/// Lines of a hood operand that a group needs and another device has: copied together by a task of their own, so that
/// only they travel.
struct halo {
    struct part {
        static constexpr std::size_t constant = ~std::size_t{0};
        std::size_t buffer; ///< number of the handle in `from`, or constant
        std::size_t offset; ///< bytes behind that handle's start
        std::size_t lines;
    };
    submitted_call* owner; ///< null: copies between ranks
    starpu_data_handle_t to = nullptr;
    std::size_t line_bytes, element_size;
    const void* border_value; ///< null, of hood sources: lines beyond the grid stay as they are, for nobody reads them
    std::vector<part> parts;
    std::vector<starpu_data_handle_t> from;
    unsigned device;    ///< of the plan: where most of the lines are
    bool there = false; ///< its lines are: no task is needed

    void fail(const std::exception_ptr& what) const noexcept;
};

/// What a task does to the notes on a tile, if it does not run where it was planned.
struct tile_note {
    std::shared_ptr<moved_tiles> moved; ///< of the tile's container
    std::size_t tile;
    std::uint64_t version;
    node_mask lost_if_moved; ///< nodes that will not have the tile, though noted
};

/// One task of a call: a run of segments. Lives in its submitted_call; StarPU's cl_arg points to it.
struct task_group {
    submitted_call* owner = nullptr;
    unsigned number = 0;
    std::size_t first = 0, count = 0; ///< segments
    std::size_t front = 0;            ///< scans on cores: so many segments before these are read for what they sum to
    std::size_t begin() const { return first - front; }
    std::size_t reads() const { return front + count; }
    std::size_t elements = 0;
    bool team = false;
    unsigned threads = 0;                     ///< of the team, if not all of them: an execution plan's
    unsigned block = 0;                       ///< of a device's threads, if an execution plan says so
    int scratch_handle = -1;                  ///< index of the scratch handle among the task's, -1: none
    int carry_handle = -1;                    ///< the same for the carry of a scan
    std::vector<slot_ref> refs;               ///< reads() x slots
    std::vector<slot_ref> result_refs;        ///< reduce_rows: one per segment; direct results: one per tile
    std::vector<slot_ref> hood_refs;          ///< count x hoods x {before, behind}; uniform: nothing there
    std::uint64_t started_ns = 0;             ///< OpenCL: when the codelet enqueued
    void* timer = nullptr;                    ///< CUDA: events around the kernels
    std::uint64_t traced_ns = 0;              ///< SKELRT_TRACE, CUDA: when the codelet enqueued
    kernel_span* span = nullptr;              ///< SKELRT_TRACE, CUDA: around the kernels
    schedulers::placement_hint hint;          ///< to the policy
    std::vector<tile_note> tiles;             ///< of movable groups
    bool may_end_early = false;               ///< CUDA: the task may end before its kernels do
    std::shared_ptr<const running_work> left; ///< CUDA: these kernels, if it did

    /// As it was made, but for its memory.
    void clear() noexcept;
};

/// A call from its submission to the end of its last task. Holds everything that the tasks refer to.
///
/// Lifetime: counted; one count for each task, one for the submitting thread. When the last holder lets it go, be it a
/// worker, it has ended, and waits as it is until a thread of the program clears it: let_ended_go(). What memory it has
/// goes on to a later call. So workers write next to nothing that submitting threads need again: a line of memory that
/// another core has written takes as long to come as some hundred instructions, and was most of what a short call cost.
/// Threads: built by the submitting thread; afterwards tasks write their own group, their own partial result, and the
/// fault.
class submitted_call
{
public:
    /// The caller has the only hold.
    static submitted_call& make(const call& c, program& by, std::uint64_t number);
    submitted_call(const submitted_call&) = delete;
    submitted_call& operator=(const submitted_call&) = delete;

    void hold() noexcept { holders_.fetch_add(1, std::memory_order_relaxed); }
    void drop() noexcept;

    /// A task ends; see progress.
    void task_done(std::shared_ptr<const running_work> left = nullptr) noexcept;
    /// The same for the tasks of several calls, all of which left the same work.
    static void tasks_done(std::span<task_group* const> groups,
                           const std::shared_ptr<const running_work>& left) noexcept;

    /// Stores what went wrong, here and with everything that the call writes.
    void fail(const std::exception_ptr& what) noexcept;
    /// The same for what is caught just now on a worker of a GPU: its error names the call and the device. An
    /// operand's, which the call was not made for, stays as it is.
    void fail_here() noexcept;
    std::exception_ptr fault() noexcept;
    /// The fault of an operand that was to be read, or null.
    std::exception_ptr operand_fault() noexcept;
    /// The storage lives until the call is cleared.
    void keep(storage& s);
    /// The call's tasks use this data, of a storage that it keeps, until it is cleared: counted by threads of the
    /// program alone, for workers would take the counters out of their caches.
    void use(managed_state& m);
    std::span<managed_state* const> used() const noexcept { return used_; }

    /// How often a segment's positions call the user function: what the models count.
    std::size_t evaluations(std::size_t segment) const noexcept
    {
        return segments[segment].rows * segments[segment].cols * depth * steps;
    }
    /// Whether groups leave partial results, which somebody combines.
    bool leaves_partials() const noexcept { return traits_of(what().kind).leaves_partials; }
    bool needs_combine() const noexcept
    {
        return leaves_partials() && !direct && (result.data || what().kind == skeleton::accumulate);
    }
    /// Bytes of one partial result.
    std::size_t partial_bytes() const noexcept;
    /// The combination of the partial results, start value in front, into `to`; after all groups are done.
    void combine_partials(void* to) const;
    /// accumulate: elements first to last of a container joined with the partial results.
    void join_partials(const accumulated_part& part, std::size_t first, std::size_t last) const;

    const recipe& what() const noexcept { return site_->what; }
    call_site& site() const noexcept { return *site_; }
    std::byte* partial(std::size_t group) noexcept
    {
        return static_cast<std::byte*>(partials.data) + group * partial_stride;
    }

    std::uint64_t number = 0;
    bool matrix = false;
    std::size_t rows = 0, cols = 0;
    std::size_t first_line = 0, whole_lines = 0; ///< see call
    index_widths width{0};
    std::size_t depth = 1; ///< what an element costs, in units of the models: all_pairs, the length of the rows
    std::vector<segment> segments;
    std::vector<operand> operands; ///< values point into `values`
    operand result;
    std::vector<task_group> groups;
    std::vector<schedulers::worker_cost>
        takers;                             ///< workers that could take movable groups, whose cost there was measured
    std::atomic<bool> arrived{false};       ///< all tasks are submitted
    std::deque<halo> halos;                 ///< tasks point to them
    memory_block lines;                     ///< of halos that whoever submitted the call has copied
    std::size_t lines_used = 0;             ///< bytes of that block
    const foreign_lines* foreign = nullptr; ///< see call; while it is submitted
    bool goes_on = false;                   ///< a scan: from values that the carry handle has at first
    bool begun = false;                     ///< see call
    unsigned steps = 1;                     ///< stencils: see work
    int color = -1;
    grid_part part; ///< see call
    bool red_black() const noexcept { return color >= 0 && steps > 1; }
    std::vector<storage_ref> kept; ///< operands and result, alive until the last task is done

    /// Reductions into a container: their one task writes the result itself, with the start value in front. Calls with
    /// accumulators on one GPU, and those that change one copy, in one tile, on cores: their tasks change the containers
    /// there. Others leave partial results, which a task on the host combines.
    bool direct = false;
    bool together = false; ///< direct accumulators of several tiles: functions see them in one piece, in scratch
    memory_block partials; ///< one partial result per group
    std::size_t partial_stride = 0;
    std::size_t result_values = 1; ///< values per partial result, and of the result; filters: segments

    std::vector<fault_window> read_windows;
    std::vector<std::shared_ptr<fault_log>> written_logs;
    bool may_use_cores = true;    ///< the user did not say that others should do it
    episodes* of_split = nullptr; ///< which are to be told when the cores have done their part
    struct {
        int worker = -1;
        unsigned device = 0; ///< target::index
        double begin_us = 0;
        std::uint64_t others = 0; ///< calls that other programs had submitted
        std::atomic<double> end_us{0};
        std::atomic<double> bytes{0}; ///< 0: nothing is watched, or another worker took a part
    } copies;                         ///< to the only device that works on it, if it had the machine to itself
    const void* start = nullptr;      ///< null, or the start value in `values`
    program* made_by = nullptr;       ///< whose call it is
    std::shared_ptr<progress> tasks;  ///< set before the first is submitted

private:
    submitted_call() = default;
    ~submitted_call() = default;
    void begin(const call& c, program& by, std::uint64_t number);
    bool lets_go() noexcept { return holders_.fetch_sub(1, std::memory_order_acq_rel) == 1; }
    static void end(long count, submitted_call& newest, submitted_call& oldest) noexcept;
    void note_link() noexcept;
    void clear() noexcept;
    bool is_large() const noexcept;
    const void* keep_value(const void* value, std::size_t size, std::size_t align);

    call_site* site_ = nullptr;
    std::vector<std::byte> values_;    ///< uniforms and start value
    std::vector<managed_state*> used_; ///< once each; they live as long as what is `kept`
    // What workers write has a line of its own.
    alignas(64) std::atomic<unsigned> holders_{1};
    ended_link ended_{nullptr, this, [](void* c) noexcept { static_cast<submitted_call*>(c)->clear(); }};
    std::mutex guard_;
    std::exception_ptr fault_;
};

} // namespace skelrt::detail
