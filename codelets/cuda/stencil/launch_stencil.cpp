// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/launch/launchers.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>

namespace skelrt::detail::cuda
{
namespace
{

sweep sweep_of(const work& what)
{
    sweep how{};
    std::copy_n(what.grid, 3, how.grid);
    how.cut = what.what.stencil.rank == 3 ? 0 : what.matrix ? 1 : 2;
    how.color = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(what.color));
    std::copy_n(what.corner, 3, how.corner);
    how.columns[1] = static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max());
    if (how.cut != 1) return how;
    const column_range columns = columns_of(what, what.segments[0]); // of all segments
    how.columns[0] = columns.first;
    how.columns[1] = columns.first + columns.count;
    return how;
}

using block_counts = std::array<std::size_t, 3>;

block_counts blocks_of(const work& what, const segment& where, const std::array<std::size_t, 3>& block)
{
    const auto n = extents_of(what, where);
    return {divided_up(n[0], block[0]), divided_up(n[1], block[1]), divided_up(n[2], block[2])};
}

std::size_t product(const block_counts& n) { return n[0] * n[1] * n[2]; }

/// Of all segments together.
std::size_t positions_of(const work& what)
{
    std::size_t positions = 0;
    for (const segment& s : what.segments) positions += product(extents_of(what, s));
    return positions;
}

/// Whether a block of threads is several lines high; of a vector it is one line.
bool has_lines(const work& what) { return what.matrix || what.what.stencil.rank == 3; }

/// The tile with which the last block is done first. Blocks of a processor share what it can load, of which less than
/// half of its threads leave a part; processors do not move in step, hence half a wave more.
const tile_choice& tile_for(const work& what, const stencil_plan& plan)
{
    const auto& tiles = plan.tiles[has_lines(what)];
    const auto time = [&](const tile_choice& tile) {
        std::size_t blocks = 0;
        for (const segment& s : what.segments) blocks += product(blocks_of(what, s, tile.block));
        blocks = std::max<std::size_t>(blocks, 1);
        const std::size_t waves = divided_up(blocks, plan.processors * tile.at_once),
                          together = std::min(tile.at_once, divided_up(blocks, plan.processors));
        const double busy = static_cast<double>(together * plan.block) / static_cast<double>(plan.threads) / 0.5;
        return (2 * static_cast<double>(waves) + 1) * static_cast<double>(tile.loads * together) / std::min(1.0, busy);
    };
    return *std::ranges::min_element(tiles, {}, time);
}

/// Whether every line of the segment's operands begins at a multiple of `pack` elements.
bool is_aligned(const work& what, std::size_t s, unsigned pack)
{
    const std::size_t hoods = what.hoods.size() / what.segments.size();
    const auto multiple = [&](const void* data, std::size_t size) {
        return reinterpret_cast<std::uintptr_t>(data) % (pack * size) == 0;
    };
    std::size_t hood = s * hoods;
    const bool lines = what.segments[s].rows > 1 || what.what.stencil.rank == 3;
    for (std::size_t k = 0; k < what.what.slots.size(); ++k) {
        const slot_type& slot = what.what.slots[k];
        const slot_view& view = what.slot(s, k);
        if (has_surroundings(slot.kind)) {
            const hood_view& around = what.hoods[hood++];
            if (!multiple(view.data, slot.size) || (what.matrix && what.grid[2] % pack != 0)) return false;
            // What surrounds a part of a vector is read element by element.
            if (has_lines(what) &&
                (!multiple(around.before.data, slot.size) || !multiple(around.after.data, slot.size)))
                return false;
        } else if (slot.kind == slot_kind::element) {
            if (!multiple(line_start(what, s, k), slot.size) || view.stride != 1 || (lines && view.ld % pack != 0))
                return false;
        }
    }
    return true;
}

/// Positions of a segment that are so near to an edge that no patch covers them, at most.
std::size_t edge_positions(const work& what, const segment& where)
{
    const stencil_shape& shape = what.what.stencil;
    const auto n = extents_of(what, where);
    std::size_t inner = 1;
    for (int a = 0; a < 3; ++a) inner *= n[a] - std::min<std::size_t>(n[a], shape.before[a] + shape.after[a]);
    return product(n) - inner;
}

/// The warps of a segment; `edge_slices`: of a chunk of those strips.
std::size_t stream_warps(const work& what, const segment& where, const block_counts& blocks, std::size_t edge_slices)
{
    const bool volume = what.what.stencil.rank == 3;
    const std::size_t edges = std::min<std::size_t>(blocks[2], edge_strips),
                      slices = extents_of(what, where)[volume ? 0 : 1];
    const std::size_t warps = edges * divided_up(slices, edge_slices) + (blocks[2] - edges) * blocks[volume ? 0 : 1];
    return volume ? warps * blocks[1] : warps;
}

/// The blocks of threads of a segment that is cut into these blocks of positions.
std::size_t thread_blocks(const work& what, const segment& where, const block_counts& blocks, const stencil_plan& plan,
                          const void* kernel, const sweep& how)
{
    if (kernel == plan.single) return product(blocks);
    switch (plan.hoods) {
    case hood_place::registers:
        return divided_up(stream_warps(what, where, blocks, how.room), plan.block / warp_lanes);
    case hood_place::tile:
    case hood_place::window:
    case hood_place::patch:
        return product(blocks);
    case hood_place::memory:
        return product(blocks) + divided_up(edge_positions(what, where), plan.block);
    }
    return 0;
}

/// Blocks of columns are counted along the grid's first axis and blocks of rows along its second, which is short:
/// threads then need not divide.
void run_windows(parameter_block& parameters, sweep how, const stencil_plan& plan, std::size_t columns,
                 std::size_t slices, cudaStream_t stream)
{
    constexpr std::size_t most_y = 65'535;
    for (how.first = 0; how.first < slices; how.first += most_y) {
        parameters.set_sweep(how);
        run(plan.kernel, {columns, std::min(slices - how.first, most_y), parameters.segments()}, plan.block, parameters,
            stream);
    }
}

/// Launches the kernel over all segments, as many at a time as its parameter has room for.
void run_fields(const work& what, const program& kernels, const void* kernel, const sweep& how, cudaStream_t stream,
                std::size_t shared_bytes = 0)
{
    const stencil_plan& plan = kernels.stencil;
    parameter_block parameters(kernels.layout);
    std::size_t most = 0, most_columns = 0, most_slices = 0; // blocks of a segment; of windows, on either axis
    const auto flush = [&] {
        if (parameters.segments() == 0) return;
        if (plan.hoods == hood_place::window) run_windows(parameters, how, plan, most_columns, most_slices, stream);
        else run(kernel, {most, parameters.segments()}, plan.block, parameters, stream, shared_bytes);
        parameters.clear();
        most = most_columns = most_slices = 0;
    };
    parameters.set_uniforms(what);
    parameters.set_sweep(how);
    for (std::size_t s = 0; s < what.segments.size(); ++s) {
        const block_counts blocks = blocks_of(what, what.segments[s], {how.block[0], how.block[1], how.block[2]});
        if (product(blocks) == 0) continue;
        most = std::max(most, thread_blocks(what, what.segments[s], blocks, plan, kernel, how));
        most_columns = std::max(most_columns, blocks[2]);
        most_slices = std::max(most_slices, blocks[0] * blocks[1]);
        parameters.add_field(what, s, {blocks[0], blocks[1], blocks[2]}, is_aligned(what, s, plan.pack));
        if (parameters.segments() == kernels.layout.fields) flush();
    }
    flush();
}

void launch_single(const work& what, const program& kernels, sweep how, cudaStream_t stream)
{
    const std::size_t threads = kernels.stencil.block;
    how.lanes = has_lines(what) ? 64 : threads;
    how.block[0] = 1;
    how.block[1] = threads / how.lanes;
    how.block[2] = how.lanes;
    run_fields(what, kernels, kernels.stencil.single, how, stream);
}

/// Each thread a patch, or, where that would leave processors without work, a position. Patches begin at the first
/// position whose hood lies in the grid.
void launch_direct(const work& what, const program& kernels, sweep how, cudaStream_t stream)
{
    const stencil_plan& plan = kernels.stencil;
    constexpr std::size_t wanted = 4; // blocks of a processor
    const auto& patch = plan.direct;
    const bool few = positions_of(what) < wanted * plan.processors * plan.block * patch[0] * patch[1] * patch[2];
    if (few && plan.single) return launch_single(what, kernels, how, stream);
    how.lanes = has_lines(what) ? 64 : plan.block;
    how.block[0] = patch[0];
    how.block[1] = plan.block / how.lanes * patch[1];
    how.block[2] = how.lanes * patch[2];
    run_fields(what, kernels, plan.kernel, how, stream);
}

/// Packs that a thread takes one after the other, where a patch is no more than one, as long as all processors have
/// work.
std::size_t turns_of(const work& what, const stencil_plan& plan)
{
    constexpr std::size_t most = 8, wanted = 16; // blocks of a processor
    const patch_shape& patch = plan.patch;
    if (patch.planes * patch.rows > 1) return 1;
    const std::size_t blocks = positions_of(what) / (plan.block * patch.pack);
    return std::clamp<std::size_t>(blocks / (wanted * std::max<std::size_t>(plan.processors, 1)), 1, most);
}

/// Each thread a patch of neighbouring columns.
void launch_window(const work& what, const program& kernels, sweep how, cudaStream_t stream)
{
    const stencil_plan& plan = kernels.stencil;
    const patch_shape& patch = plan.patch;
    how.lanes = has_lines(what) ? warp_lanes : plan.block;
    how.block[0] = patch.planes;
    how.block[1] = plan.block / how.lanes * patch.rows;
    how.block[2] = how.lanes * patch.pack * turns_of(what, plan);
    run_fields(what, kernels, plan.kernel, how, stream);
}

void launch_tiles(const work& what, const program& kernels, sweep how, cudaStream_t stream)
{
    const tile_choice& tile = tile_for(what, kernels.stencil);
    std::ranges::copy(tile.block, how.block);
    how.room = tile.room;
    how.lanes = has_lines(what) ? warp_lanes : kernels.stencil.block;
    run_fields(what, kernels, kernels.stencil.kernel, how, stream, tile.bytes);
}

void launch_lockstep(const work& what, const program& kernels, sweep how, cudaStream_t stream)
{
    const stencil_plan& plan = kernels.stencil;
    std::ranges::copy(lockstep_block(plan), how.block);
    how.lanes = warp_lanes;
    run_fields(what, kernels, plan.kernel, how, stream, lockstep_bytes(what.what, plan));
}

/// Slices that a warp walks along. Each warp also reads the slices around its own; on the other hand all processors
/// should be done at the same time. Takes the number of chunks for which the last one is done first: after all waves of
/// warps and, since they do not move in step, half a wave more. That model was within 2 % of an H100's times.
std::size_t slices_of_a_warp(const work& what, const stencil_plan& plan, const std::array<std::size_t, 3>& block,
                             int axis)
{
    const stencil_shape& shape = what.what.stencil;
    const std::size_t around = plan.steps * (shape.before[axis] + shape.after[axis]);
    const std::size_t at_once = std::max<std::size_t>(plan.processors * plan.warps, 1);
    std::size_t most_slices = 1;
    for (const segment& s : what.segments) most_slices = std::max(most_slices, extents_of(what, s)[axis]);
    std::size_t best = most_slices, best_time = ~std::size_t{0};
    for (std::size_t chunks = 1; chunks <= most_slices; chunks = chunks < 64 ? chunks + 1 : chunks + chunks / 16) {
        auto cut = block;
        cut[axis] = divided_up(most_slices, chunks);
        std::size_t warps = 0;
        for (const segment& s : what.segments) warps += product(blocks_of(what, s, cut));
        const std::size_t time = (2 * divided_up(warps, at_once) + 1) * (cut[axis] + around);
        if (time < best_time) best = cut[axis], best_time = time;
    }
    return best;
}

void launch_stream(const work& what, const program& kernels, sweep how, cudaStream_t stream)
{
    const stencil_plan& plan = kernels.stencil;
    const bool volume = what.what.stencil.rank == 3;
    std::array<std::size_t, 3> block{1, volume ? plan.stream.rows : 1, strip_columns(what.what, plan)};
    const int axis = volume ? 0 : 1;
    block[axis] = slices_of_a_warp(what, plan, block, axis);
    std::ranges::copy(block, how.block);
    const std::size_t around = plan.steps * (what.what.stencil.before[axis] + what.what.stencil.after[axis]);
    how.room = std::max({block[axis] / 8, 4 * around, std::size_t{1}});
    run_fields(what, kernels, plan.kernel, how, stream);
}

} // namespace

void launch_stencil(const work& what, const program& kernels, cudaStream_t stream)
{
    if (what.segments.empty()) return;
    switch (kernels.stencil.hoods) {
    case hood_place::registers:
        return launch_stream(what, kernels, sweep_of(what), stream);
    case hood_place::tile:
        return launch_tiles(what, kernels, sweep_of(what), stream);
    case hood_place::memory:
        return launch_direct(what, kernels, sweep_of(what), stream);
    case hood_place::patch:
        return launch_lockstep(what, kernels, sweep_of(what), stream);
    case hood_place::window:
        return launch_window(what, kernels, sweep_of(what), stream);
    }
}

} // namespace skelrt::detail::cuda
