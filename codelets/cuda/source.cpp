// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/source.hpp"

#include "codelets/cuda/launch/launchers.hpp"
#include "codelets/sparse/row_blocks.hpp"

#include "src/function/cuda/cuda.hpp"

namespace skelrt::detail::cuda
{
namespace
{

std::string skeleton_text(const program& kernels)
{
    const recipe& what = kernels.layout.what;
    switch (what.kind) {
    case skeleton::all_pairs:
        return all_pairs_text;
    case skeleton::map:
        if (const unsigned tile = merge_tile_of(what, kernels.threads))
            return map_text + merge_call_constants(tile, kernels.threads) + merge_call_text;
        if (!sparse::sums_rows(what)) return map_text;
        return map_text + row_sums_constants(*row_sum_of(what), kernels.threads) + row_sums_text;
    case skeleton::accumulate:
        return accumulate_constants(what) + accumulate_text;
    case skeleton::filter:
        return filter_constants(what, kernels.threads) + chain_text + filter_text;
    case skeleton::reduce:
        return std::string{ordered_text} + reduce_text;
    case skeleton::reduce_rows:
        return std::string{ordered_text} + combine_text + reduce_rows_text;
    case skeleton::reduce_columns:
        return std::string{ordered_text} + combine_text + reduce_columns_text;
    case skeleton::scan:
        return scan_constants(what, kernels.tile_threads) + chain_text + scan_text + scan_tile_text + scan_flat_text;
    case skeleton::scan_rows:
        return scan_constants(what, kernels.tile_threads) + chain_text + scan_text + scan_tile_text + scan_rows_text;
    case skeleton::scan_columns:
        return scan_constants(what, kernels.tile_threads) + chain_text + scan_text + scan_columns_text;
    case skeleton::sort:
        return sort_text(what, kernels.block);
    case skeleton::wavefront:
        return wavefront_edges_text(what) + wavefront_constants(what, kernels.block) + wavefront_text;
    case skeleton::stencil:
        break; // its text depends on the plan, too: stencil_source
    }
    return {};
}

std::string stencil_kernel_text(const recipe& what, const stencil_plan& plan)
{
    switch (plan.hoods) {
    case hood_place::registers:
        return stencil_stream_text(what, plan);
    case hood_place::tile:
        return stencil_tile_text(what, plan.steps);
    case hood_place::memory:
        return stencil_direct_text(what, plan);
    case hood_place::window:
        return stencil_window_text(what, plan);
    case hood_place::patch:
        return stencil_lockstep_text(what, plan);
    }
    return {};
}

std::string stencil_source(const program& kernels, bool as_written)
{
    const recipe& what = kernels.layout.what;
    const stencil_plan& plan = kernels.stencil;
    const auto memory = plan.hoods == hood_place::memory  ? hood_memory::direct
                        : plan.hoods == hood_place::patch ? hood_memory::patch
                                                          : hood_memory::tile;
    return cuda_preamble(what) + lockstep_constants(what, plan) +
           cuda_hoods(what.stencil, plan.steps, memory, !what.hood_maps.empty()) + cuda_functions(what, as_written) +
           kernels.layout.text() + elements_text + stencil_field_text(what, kernels.threads) +
           stencil_kernel_text(what, plan);
}

} // namespace

std::string source_of(const program& kernels, bool as_written)
{
    const parameter_layout& layout = kernels.layout;
    if (layout.what.kind == skeleton::stencil) return stencil_source(kernels, as_written);
    const bool pairs = layout.what.kind == skeleton::all_pairs;
    return cuda_preamble(layout.what) + cuda_functions(layout.what, as_written) + layout.text() + elements_text +
           (pairs ? pair_shape_text(layout.what, kernels.threads) : readers_text(layout.shape, kernels.threads)) +
           skeleton_text(kernels);
}

} // namespace skelrt::detail::cuda
