// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/cuda/cuda.hpp"
#include "codelets/cuda/launch/parameters.hpp"
#include "codelets/cuda/shape.hpp"
#include "codelets/cuda/stencil/stencil.hpp"
#include "codelets/work.hpp"

#include "src/jit/nvrtc.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

#include <driver_types.h>

/// Kernels of a recipe for one architecture, and how each skeleton launches them.
namespace skelrt::detail::cuda
{

inline std::size_t count_of(const segment& s) { return s.rows * s.cols; }

/// Everything that a launch needs to know; built once, never freed.
struct program {
    explicit program(const recipe& what, const kernel_variant& variant = {})
        : shape(shape_of(what)), layout(what, shape),
          stencil(what.kind == skeleton::stencil ? plan_stencil(what, variant) : stencil_plan{}), block(variant.block),
          threads(threads_of(block)), tile_threads(block > 0 ? block : scan_threads())
    {
    }
    program(const program&) = delete;
    program& operator=(const program&) = delete;

    kernel_shape shape;
    parameter_layout layout;
    stencil_plan stencil;  ///< of a stencil
    unsigned block;        ///< threads of one, as a plan asks for them; 0: as is usual
    unsigned threads;      ///< of a block
    unsigned tile_threads; ///< of a block that scans a tile

    /// One kernel for each kind of access, where elements or rows are walked; all_pairs: general, sides along, right
    /// across.
    const void* walk[3] = {};
    const void* squares = nullptr; ///< map: see kernel_shape::squares()
    const void* turned = nullptr;  ///< the same: see kernel_shape::turned
    const void* tiles[3] = {};     ///< scan_rows: long rows; accumulate: by way of shared memory; sort: from scratch
    const void* columns = nullptr; ///< reduce_columns, scan_columns; wavefront: strips of rows
    const void* whole_columns = nullptr; ///< scan_columns: a thread per column
    const void* combine = nullptr;       ///< reductions to several results: a block per result
    const void* combine_each = nullptr;  ///< the same: a thread per result
    const void* clear = nullptr;         ///< accumulate: what a copy begins as
    const void* sort_tiles = nullptr;    ///< sort by merging
    const void* merge_tiles = nullptr;   ///< the same; a map that is a call of sk::merge
    const void* row_sums = nullptr;      ///< a map with a product of a sparse matrix in it

    std::optional<cuda_binary> checked; ///< SKELRT_CHECK=bounds: has the variable for an index that is outside
};

/// Compiles all kernels; reports errors at the user's own lines. With `load`, also makes them ready to launch.
void build(program& kernels, std::string_view arch, bool load);

/// The recipe's kernels for the calling thread's device; built now if prepare() was not called.
const program& program_for(const recipe& what, const kernel_variant& variant = {});

struct grid_size {
    std::size_t x, y = 1, z = 1;
};

/// Enqueues a kernel with one parameter.
void run(const void* kernel, grid_size blocks, unsigned threads, void* parameter, cudaStream_t stream,
         std::size_t shared_bytes = 0);
/// The same, by way of the calling thread's list of launches, if there is one (launch_list.hpp).
void run(const void* kernel, const grid_size& blocks, unsigned threads, parameter_block& parameter, cudaStream_t stream,
         std::size_t shared_bytes = 0);

/// The same for a kernel that waits by itself for the one before it, on devices of compute capability 9 and newer.
void run_overlapping(const void* kernel, grid_size blocks, unsigned threads, void* parameter, cudaStream_t stream,
                     std::size_t shared_bytes = 0);

void launch_map(const work& what, const program& kernels, cudaStream_t stream);
/// False: it is no map with a product of a sparse matrix, or lies otherwise; nothing was done.
bool launch_row_sums(const work& what, const program& kernels, cudaStream_t stream);
void launch_accumulate(const work& what, const program& kernels, cudaStream_t stream);
void launch_filter(const work& what, const program& kernels, cudaStream_t stream);
void launch_reduce(const work& what, const program& kernels, cudaStream_t stream);
void launch_reduce_rows(const work& what, const program& kernels, cudaStream_t stream);
void launch_reduce_columns(const work& what, const program& kernels, cudaStream_t stream);
void launch_scan(const work& what, const program& kernels, cudaStream_t stream);
void launch_scan_rows(const work& what, const program& kernels, cudaStream_t stream);
void launch_scan_columns(const work& what, const program& kernels, cudaStream_t stream);
void launch_sort(const work& what, const program& kernels, cudaStream_t stream);
void launch_stencil(const work& what, const program& kernels, cudaStream_t stream);
void launch_red_black(const work& what, const program& kernels, cudaStream_t stream);

void launch_wavefront(const work& what, const program& kernels, cudaStream_t stream);

void launch_all_pairs(const work& what, const program& kernels, cudaStream_t stream);

std::size_t filter_scratch(const recipe& what, std::size_t elements, unsigned block);
std::size_t reduce_scratch(const recipe& what);
std::size_t reduce_rows_scratch(const recipe& what);
std::size_t reduce_columns_scratch(const recipe& what, std::size_t columns);
std::size_t scan_scratch(const recipe& what, std::size_t elements, unsigned block);
std::size_t scan_rows_scratch(const recipe& what, std::size_t elements, unsigned block);
std::size_t scan_columns_scratch(const recipe& what, std::size_t elements, std::size_t columns, unsigned block);

std::size_t wavefront_scratch(const recipe& what, std::size_t elements, std::size_t columns, unsigned block);
std::size_t sort_scratch_bytes(const recipe& what, std::size_t elements, unsigned block);

/// Values of the result's type in device memory, for pointer arithmetic without the type.
struct value_array {
    void* data;
    std::size_t value_size;
    void* at(std::size_t i) const { return static_cast<std::byte*>(data) + i * value_size; }
};

/// What combine_partials and combine_each get; see the struct of that name in ordered.cpp.
struct combination {
    const void* partials;
    std::size_t count, step, next, results;
    void* out;
    front in_front = front::nothing;
    const void* start = nullptr;
};

/// Combines partial results, one block each.
void combine_partials(const program& kernels, const combination& what, cudaStream_t stream);
/// The same, one thread each: for few partials and many results.
void combine_each(const program& kernels, const combination& what, cudaStream_t stream);

inline std::size_t rounded_up(std::size_t a, std::size_t b) { return divided_up(a, b) * b; }

} // namespace skelrt::detail::cuda
