// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/launch/launchers.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>

/// Sizes of a stencil's tiles: how many positions each thread computes is chosen by the occupancy that remains.
namespace skelrt::detail::cuda
{
namespace
{

/// Columns of a tile, and rows of a tensor's: constants of the kernel.
constexpr std::size_t matrix_x = 64, volume_x = 32, volume_y = 8;
/// Positions that one thread computes, at most.
constexpr std::size_t most_outputs = 16;

std::size_t halo(const recipe& what, unsigned steps, int axis)
{
    return std::size_t{steps} * (what.stencil.before[axis] + what.stencil.after[axis]);
}

/// Positions that a tile has room for.
std::size_t room_of(const recipe& what, unsigned steps, bool matrix, const std::array<std::size_t, 3>& block)
{
    const tile_pitch pitch = pitch_of(what, steps);
    if (what.stencil.rank == 3) return pitch.z * (block[0] + halo(what, steps, 0));
    if (matrix) return pitch.y * (block[1] + halo(what, steps, 1));
    return block[2] + halo(what, steps, 2);
}

std::size_t bytes_of(const recipe& what, unsigned steps, std::size_t room)
{
    std::size_t bytes = 0;
    for (const slot_type& slot : what.slots)
        if (sees_hood(slot.kind)) bytes += rounded_up(room * slot.size, 16);
    return bytes * (steps > 1 ? 2 : 1);
}

/// `outputs` positions for each of as many threads as is usual, one behind the other on the slowest axis.
std::array<std::size_t, 3> block_of(const recipe& what, bool matrix, std::size_t outputs)
{
    if (what.stencil.rank == 3) return {outputs, volume_y, volume_x};
    if (matrix) return {1, outputs * (block_threads / matrix_x), matrix_x};
    return {1, 1, outputs * block_threads};
}

} // namespace

std::size_t smallest_tile_bytes(const recipe& what, unsigned steps)
{
    std::size_t most = 0;
    for (const bool matrix : {false, true})
        most = std::max(most, bytes_of(what, steps, room_of(what, steps, matrix, block_of(what, matrix, 1))));
    return most;
}

tile_pitch pitch_of(const recipe& what, unsigned steps)
{
    const std::size_t y = (what.stencil.rank == 3 ? volume_x : matrix_x) + halo(what, steps, 2);
    return {y, y * (volume_y + halo(what, steps, 1))};
}

namespace
{

int attribute(cudaDeviceAttr which)
{
    int device = 0, value = 0;
    if (cudaGetDevice(&device) != cudaSuccess || cudaDeviceGetAttribute(&value, which, device) != cudaSuccess) return 0;
    return value;
}

/// Blocks that a processor of the current device runs at the same time.
std::size_t blocks_at_once(const stencil_plan& plan, std::size_t shared_bytes)
{
    int blocks = 0;
    if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plan.kernel, static_cast<int>(plan.block),
                                                      shared_bytes) != cudaSuccess)
        return 0;
    return static_cast<std::size_t>(blocks);
}

std::size_t loads_of(const recipe& what, unsigned steps, const tile_choice& tile)
{
    std::size_t loads = 1;
    for (int axis = 0; axis < 3; ++axis) loads *= tile.block[axis] + halo(what, steps, axis);
    return loads;
}

} // namespace

void choose_tiles(const recipe& what, stencil_plan& plan)
{
    plan.processors = static_cast<std::size_t>(std::max(attribute(cudaDevAttrMultiProcessorCount), 1));
    plan.overlaps = attribute(cudaDevAttrComputeCapabilityMajor) >= 9;
    plan.threads = static_cast<std::size_t>(std::max(attribute(cudaDevAttrMaxThreadsPerMultiProcessor), 1));
    plan.warps = blocks_at_once(plan, 0) * (plan.block / warp_lanes);
    if (plan.hoods != hood_place::tile) return;
    allow_shared_memory(plan);
    for (const bool matrix : {false, true})
        for (std::size_t outputs = 1; outputs <= most_outputs; outputs *= 2) {
            tile_choice tile;
            tile.block = block_of(what, matrix, outputs);
            tile.room = room_of(what, plan.steps, matrix, tile.block);
            tile.bytes = bytes_of(what, plan.steps, tile.room);
            tile.loads = loads_of(what, plan.steps, tile);
            tile.at_once = blocks_at_once(plan, tile.bytes);
            if (tile.at_once > 0) plan.tiles[matrix].push_back(tile);
        }
}

void allow_shared_memory(const stencil_plan& plan)
{
    if (plan.hoods != hood_place::tile) return;
    const int most = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    if (most > 0) cudaFuncSetAttribute(plan.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
}

} // namespace skelrt::detail::cuda
