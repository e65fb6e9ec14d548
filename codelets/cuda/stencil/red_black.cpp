// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/launch/launchers.hpp"

#include <algorithm>
#include <memory>
#include <vector>

/// All half steps of a red-black iteration on a matrix: the first one goes from the grid as it is given to the result,
/// the others are made there, a thread for each position of the color. No half step reads what it writes but at the
/// position itself, since hoods see only the other color around it; so it does not matter in which order positions are
/// updated.
namespace skelrt::detail::cuda
{
namespace
{

/// The half steps after the first: hoods lie in the result. What their launches need is put together once.
class in_place
{
public:
    in_place(const work& first, const program& kernels, cudaStream_t stream)
        : slots_(first.slots.begin(), first.slots.end()), hoods_(first.hoods.begin(), first.hoods.end()), what_(first),
          kernels_(kernels), stream_(stream)
    {
        const std::size_t count = first.segments.size(), slots = first.what.slots.size(), hood = first_hood(first.what);
        for (std::size_t s = 0; s < count; ++s) {
            slots_[s * slots + hood].data = first.slot(s, slots - 1).data;
            // Where there was a line in front of the segment, or behind it, another segment has it: beyond a cyclic
            // edge the one at the other end.
            if (hoods_[s].before.data) hoods_[s].before.data = last_line((s + count - 1) % count);
            if (hoods_[s].after.data) hoods_[s].after.data = first.slot((s + 1) % count, slots - 1).data;
        }
        what_.slots = slots_;
        what_.hoods = hoods_;
        std::copy_n(first.grid, 3, how_.grid);
        how_.cut = 1;
        for (std::size_t s = 0; s < count; ++s) add(s);
    }

    void half_step(std::size_t color)
    {
        constexpr std::size_t most_down = 65'535; // blocks along a launch's second axis
        how_.color = color;
        for (const one_launch& l : launches_)
            for (how_.first = 0; how_.first < l.down; how_.first += most_down) {
                l.parameters->set_sweep(how_);
                const grid_size blocks{l.across, std::min(l.down - how_.first, most_down), l.parameters->segments()};
                void* const parameter = l.parameters->data();
                if (kernels_.stencil.overlaps)
                    run_overlapping(kernels_.stencil.in_place, blocks, kernels_.stencil.block, parameter, stream_);
                else run(kernels_.stencil.in_place, blocks, kernels_.stencil.block, parameter, stream_);
            }
    }

private:
    /// Of as many segments as its parameter has room for.
    struct one_launch {
        std::unique_ptr<parameter_block> parameters;
        std::size_t across = 0, down = 0; ///< blocks of the largest segment
    };

    void* last_line(std::size_t s) const
    {
        const slot_view& lines = slots_[s * what_.what.slots.size() + what_.what.slots.size() - 1];
        return static_cast<std::byte*>(lines.data) + (what_.segments[s].rows - 1) * lines.ld * what_.what.result_size;
    }

    void add(std::size_t s)
    {
        const segment& where = what_.segments[s];
        if (where.rows * where.cols == 0) return;
        if (launches_.empty() || launches_.back().parameters->segments() == kernels_.layout.fields) {
            launches_.push_back({std::make_unique<parameter_block>(kernels_.layout)});
            launches_.back().parameters->set_uniforms(what_);
        }
        one_launch& last = launches_.back();
        last.across = std::max(last.across, divided_up(where.cols, 2 * alternating_lanes));
        last.down = std::max(last.down, divided_up(where.rows, kernels_.stencil.block / alternating_lanes));
        last.parameters->add_field(what_, s, {1, 1, 1}, false);
    }

    std::vector<slot_view> slots_;
    std::vector<hood_view> hoods_;
    work what_;
    const program& kernels_;
    cudaStream_t stream_;
    sweep how_{};
    std::vector<one_launch> launches_;
};

} // namespace

void launch_red_black(const work& what, const program& kernels, cudaStream_t stream)
{
    work first = what;
    first.steps = 1;
    launch_stencil(first, kernels, stream);
    in_place others(first, kernels, stream);
    for (unsigned t = 1; t < what.steps; ++t) others.half_step((static_cast<unsigned>(what.color) + t) % 2);
}

} // namespace skelrt::detail::cuda
