#include "launchers.hpp"

#include <skelrt/error.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace skelrt::detail::cuda
{
namespace
{

/// Every GPU gives so much to a block; tiles may be larger where the device allows it, but must not have to be.
constexpr std::size_t sure_shared_bytes = 48 << 10;

sweep sweep_of(const work& what)
{
    sweep how{};
    std::copy_n(what.grid, 3, how.grid);
    how.cut = what.what.stencil.rank == 3 ? 0 : what.matrix ? 1 : 2;
    how.color = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(what.color));
    return how;
}

std::array<std::size_t, 3> extents_of(const work& what, const segment& where)
{
    if (what.what.stencil.rank == 3) return {where.rows, what.grid[1], what.grid[2]};
    return {1, where.rows, where.cols};
}

using block_counts = std::array<std::size_t, 3>;

block_counts blocks_of(const work& what, const segment& where, const std::array<std::size_t, 3>& block)
{
    const auto n = extents_of(what, where);
    return {divided_up(n[0], block[0]), divided_up(n[1], block[1]), divided_up(n[2], block[2])};
}

std::size_t product(const block_counts& n) { return n[0] * n[1] * n[2]; }

/// The best tile, unless so large ones leave processors without work.
const tile_choice& tile_for(const work& what, const stencil_plan& plan)
{
    const auto& tiles = plan.tiles[what.matrix || what.what.stencil.rank == 3];
    const auto worth = [&](const tile_choice& tile) {
        std::size_t blocks = 0;
        for (const segment& s : what.segments) blocks += product(blocks_of(what, s, tile.block));
        return tile.worth * std::min(1.0, static_cast<double>(blocks) / static_cast<double>(2 * plan.processors));
    };
    return *std::ranges::max_element(tiles, {}, worth);
}

/// The blocks that one segment is cut into.
block_counts blocks_of(const work& what, const segment& where, const stencil_plan& plan, const sweep& how)
{
    // Without tiles, blocks of threads follow each other along the line of all positions.
    if (plan.hoods == hood_memory::checked) return {1, 1, divided_up(product(extents_of(what, where)), block_threads)};
    return blocks_of(what, where, {how.block[0], how.block[1], how.block[2]});
}

/// Launches the kernel over all segments, as many at a time as its parameter has room for.
void run_fields(const work& what, const program& kernels, const sweep& how, std::size_t shared_bytes,
                cudaStream_t stream)
{
    parameter_block parameters(kernels.layout);
    std::size_t most = 0;
    const auto flush = [&] {
        if (parameters.segments() == 0) return;
        run(kernels.stencil.kernel, {most, parameters.segments()}, block_threads, parameters.data(), stream,
            shared_bytes);
        parameters.clear();
        most = 0;
    };
    parameters.set_uniforms(what);
    parameters.set_sweep(how);
    for (std::size_t s = 0; s < what.segments.size(); ++s) {
        const block_counts blocks = blocks_of(what, what.segments[s], kernels.stencil, how);
        if (product(blocks) == 0) continue;
        most = std::max(most, product(blocks));
        parameters.add_field(what, s, {blocks[0], blocks[1], blocks[2]});
        if (parameters.segments() == kernels.layout.fields) flush();
    }
    flush();
}

} // namespace

stencil_plan plan_stencil(const recipe& what, unsigned steps)
{
    stencil_plan plan;
    plan.steps = steps;
    if (smallest_tile_bytes(what, steps) <= sure_shared_bytes) return plan;
    if (steps > 1)
        throw error(what.name + ": a tile for " + std::to_string(steps) + " steps takes more than " +
                    std::to_string(sure_shared_bytes) + " bytes of shared memory; do them one by one");
    plan.hoods = hood_memory::checked;
    return plan;
}

void launch_stencil(const work& what, const program& kernels, cudaStream_t stream)
{
    if (what.segments.empty()) return;
    sweep how = sweep_of(what);
    if (kernels.stencil.hoods == hood_memory::checked) return run_fields(what, kernels, how, 0, stream);
    const tile_choice& tile = tile_for(what, kernels.stencil);
    std::ranges::copy(tile.block, how.block);
    how.room = tile.room;
    how.lanes = what.matrix || what.what.stencil.rank == 3 ? warp_lanes : block_threads;
    run_fields(what, kernels, how, tile.bytes, stream);
}

} // namespace skelrt::detail::cuda
