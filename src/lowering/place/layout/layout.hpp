// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/use_here.hpp"
#include "src/lowering/decide/decision.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/place/halo.hpp"
#include "src/lowering/run/submitted_call.hpp"

#include <starpu.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// Where a call's operands lie: tiles, handles, what is missing where.
namespace skelrt::detail
{

class usage;

/// A handle as one task uses it.
struct handle_use {
    starpu_data_handle_t handle;
    bool read, written;
    std::size_t covered; ///< elements that the task writes
    std::size_t size;    ///< elements of the tile

    starpu_data_access_mode mode() const
    {
        if (!written) return STARPU_R;
        return read || covered < size ? STARPU_RW : STARPU_W; // what is not written anew must be there
    }
};

/// What a call's tasks see whole of a container: one of its tiles, or all of them, which devices need in one piece.
struct whole_operand {
    managed_state* data;
    std::size_t first, end; ///< tiles
    bool added_to = false;  ///< accumulators: nobody needs a replica
    std::size_t count() const noexcept { return end - first; }
    bool is_one_tile() const noexcept { return count() == 1; }
};

/// The tiles under one call. Used under the order's lock.
class layout
{
public:
    /// Containers are cut as `wish` says, where that can still be chosen.
    layout(submitted_call& state, cut_wish wish);
    ~layout();
    layout(const layout&) = delete;
    layout& operator=(const layout&) = delete;

    /// Cuts the index space into segments.
    void cut();

    /// Bytes that segment s lacks on target d: [s * targets + d]. Of a tile that the call sees a part of, all of it.
    /// Here and below, what another device sends counts as what the host would send in the time.
    std::vector<double> missing_bytes(const std::vector<const target*>& targets) const;
    /// Of these, what is not paid for by time lost; see residency.
    std::vector<double> due_bytes(const std::vector<const target*>& targets) const;
    /// Bytes that have to come to the target from the host, at least: of containers that are there twice, once.
    double bytes_to_copy(const target& t) const;
    /// Bytes of whole operands that the target does not have.
    double missing_whole_bytes(const target& t) const;
    double due_whole_bytes(const target& t) const;
    /// Of results, in memory of the host's that nobody has touched yet.
    double untouched_bytes() const;
    /// The same, but for memory that this episode has used before: on the cores it would be touched by now.
    double new_untouched_bytes(std::uint64_t episode) const;
    /// What is missing, of segments and of whole operands, but for what this episode has used before.
    std::vector<double> new_bytes(const std::vector<const target*>& targets, std::uint64_t episode) const;
    double new_whole_bytes(const target& t, std::uint64_t episode) const;
    /// Bytes of results of each segment, weighed with how likely the host wants them next.
    std::vector<double> home_bytes() const;
    /// How the operands are cut, and where their tiles lie: a hash.
    std::uint64_t places() const;
    /// Whether that is all but certain.
    bool results_go_home() const;
    /// What was not where target t works made the call take so much longer, when copying it all takes `copy_us`.
    void note_lost(const target& t, double lost_us, double copy_us);

    /// Whether the call is a map of scalars and values to a scalar.
    bool maps_scalars() const;
    /// How many sk::scalar operands the target has.
    std::size_t scalars_at(const target& t) const;

    /// Whether calls in flight still write what this one reads.
    bool waits_for_others() const;
    /// Whether no other call, and no thread of the program's that looks at a container through StarPU, is in the way of
    /// this one.
    bool is_only_user() const;
    /// All containers of the call.
    void mark(use_here& by_caller) const;
    std::size_t containers() const noexcept { return managed_.size() + 1; }

    /// Segments whose tiles fit in a part of the target's memory: others, and copies under way, need the rest.
    std::size_t longest_run(const target& t) const;

    /// sk::vec and sk::mat operands and their like, and accumulators, each once.
    std::vector<whole_operand> whole_operands() const;

    /// Whether a device needs a copy of it because its tiles do not lie in one piece there. Null: any device.
    bool wants_replica(const whole_operand& w, const target* where) const;
    /// Whether the references of a group that is placed for one target are right for the other, too: they may go on
    /// from one tile to the next.
    bool may_go_from(const target& planned, const target& other) const;

    /// Fills the group's references to handles; take_handles() then gives them. `where` null: any worker.
    void place(task_group& g, const target* where);
    /// Fills the group's references to the tiles of its accumulators, and adds these handles. After place() for the
    /// same group.
    void place_added(task_group& g);
    /// Whether one of them lies in several pieces there.
    bool adds_to_several_pieces(const target& where) const;
    /// Fills the group's references to what surrounds its hoods, and adds these handles; halos that somebody has to
    /// copy are added to the call's. After place() for the same group.
    void surround(task_group& g, const target* where);
    /// Whether a segment's hoods reach lines that other ranks hold.
    bool needs_foreign(std::size_t segment) const;
    /// So many lines, rows or elements of a vector, has a segment.
    std::size_t lines_of(std::size_t segment) const { return positions(segment); }
    std::size_t segments() const noexcept { return state_.segments.size(); }
    /// Which device of the plan works on each segment. Before surround().
    void set_devices(std::span<const plan_group> plan);
    std::vector<handle_use> take_handles() noexcept { return std::move(handles_); }
    /// Their memory, when nobody needs them any more.
    void give_back(std::vector<handle_use> handles) noexcept { handles_ = std::move(handles); }

    /// What to note if a task that place() and surround() were called for leaves the target that it is planned for.
    /// Before note_results().
    std::vector<tile_note> tile_notes(const task_group& g, const target& planned) const;
    /// Pins the host's memory of what will be copied between it and a device; `anywhere`: a policy places the tasks.
    void pin_copied(const std::vector<plan_group>& plan, const std::vector<const target*>& targets, bool anywhere);
    /// Notes for later calls where the results are, and that replicas are old.
    /// `free`: the call could choose among all devices.
    void note_results(const std::vector<plan_group>& plan, const std::vector<const target*>& targets, bool anywhere,
                      bool free, std::uint64_t episode);
    /// Notes which calls write what: for those who wait, and for what may fail.
    void note_calls(std::uint64_t number);

private:
    /// An element operand on the cut axis; the result of a reduction by row is one, too.
    struct axis_operand {
        managed_state* data;
        std::size_t offset, step; ///< storage element of position p: offset + p * step
        std::size_t width;        ///< elements per position
        std::size_t slot;         ///< slot number, or the number of slots for the result of a reduction by row
        bool read, written;
    };

    /// For containers that are cut for the first time.
    std::size_t grain() const noexcept { return wish_.for_edges ? 0 : wish_.tiles; }
    std::size_t extent() const { return state_.matrix ? state_.rows : state_.cols; }
    /// On the cut axis, from the first line of this rank's share on.
    std::size_t position(std::size_t segment) const
    {
        const struct segment& s = state_.segments[segment];
        return (state_.matrix ? s.row0 : s.col0) - state_.first_line;
    }
    std::size_t positions(std::size_t segment) const
    {
        return state_.matrix ? state_.segments[segment].rows : state_.segments[segment].cols;
    }
    /// Elements of an operand at one position of the cut axis.
    std::size_t width_of(slot_kind kind, const operand& o) const;
    void retile(storage& to, std::size_t elements);
    void forget_origins();
    void adopt_tiling();
    void adopt_tiling(storage* to);
    std::size_t tile_of(const axis_operand& a, std::size_t segment) const
    {
        return (a.offset + position(segment) * a.step) / a.data->tile_elements;
    }
    /// What cut() relies on: a task names one tile of an operand for a segment.
    bool lies_in_one_tile(const axis_operand& a, std::size_t segment) const;
    std::uint32_t use(const handle_use& wanted);
    std::uint32_t use_read(starpu_data_handle_t h) { return use({h, true, false, 0, 0}); }
    double segment_bytes(const axis_operand& a, std::size_t segment) const
    {
        return static_cast<double>(positions(segment) * a.width * a.data->owner->element_size);
    }
    template <class Visit>
    void for_each_tile_wanted(const axis_operand& a, Visit visit) const;
    /// part(container, tile, node) of the bytes that are not there.
    template <class Part>
    std::vector<double> absent(const std::vector<const target*>& targets, Part part) const;
    template <class Part>
    double absent_whole(const target& t, Part part) const;
    template <class Counts>
    double untouched(Counts counts) const;
    static usage& usage_of_results() noexcept;
    void note_place(managed_state& m, std::size_t tile, unsigned node, bool written);
    void note_written(managed_state& m);
    void note_use(std::size_t segment, unsigned node);
    void note_run(bool free, std::uint64_t episode);
    void cut_finer_or_coarser();
    void cut_for_edges();
    void hand_on_losses(std::size_t segment, const std::vector<const target*>& targets);
    std::size_t segment_at(std::size_t position) const;
    std::size_t segment_on(std::size_t number) const;
    std::size_t first_number() const;
    std::size_t numbers_begin(std::size_t slot) const;
    slot_ref place_lines(std::size_t slot, std::size_t segment, const std::vector<line_run>& runs, const target* where);
    slot_ref gather_lines(std::size_t slot, std::size_t segment, const std::vector<line_run>& runs);
    bool is_foreign(const line_run& run) const;
    void add_foreign(halo& h, const line_run& run) const;
    std::optional<slot_ref> copy_lines(std::size_t slot, const std::vector<line_run>& runs);
    whole_operand whole(std::size_t slot) const;
    static std::size_t whole_bytes(const whole_operand& w);
    /// The tiles that an accumulator lies in.
    whole_operand added(std::size_t slot) const;
    /// Whether it is the container of an accumulator.
    bool is_added_to(const managed_state& m) const;
    slot_ref place_whole(std::size_t slot, const target* where);

    submitted_call& state_;
    cut_wish wish_;
    std::vector<managed_state*> managed_; ///< per slot, null for uniforms
    managed_state* result_ = nullptr;
    std::vector<axis_operand> axis_;
    std::vector<handle_use> handles_;
    std::vector<unsigned> device_of_; ///< per segment

    /// Memory of vectors, which goes on to the next call: allocations would be a tenth of the time that a short one
    /// takes to submit.
    struct room {
        std::vector<managed_state*> managed;
        std::vector<axis_operand> axis;
        std::vector<handle_use> handles;
        std::vector<unsigned> device_of;
    };
    void exchange_room() noexcept;
};

} // namespace skelrt::detail
