// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/opencl/api.hpp"
#include "codelets/work.hpp"

#include <cstddef>
#include <string>

/// The launchers of the skeletons, one file each.
namespace skelrt::detail::opencl
{

struct kernels;

/// Parts that come one after the other, combined by halves: level k holds what 2^k of them give. A running sum of
/// floats loses with each part, one of halves with their logarithm.
inline constexpr const char* levels_text = R"CL(
#ifndef LEVELS
#define LEVELS(name) RESULT name##_level[48]; ulong name##_count = 0;
#define LEVELS_ADD(name, part)                                                                        \
    {                                                                                                 \
        RESULT added = part;                                                                          \
        uint level = 0;                                                                               \
        for (ulong full = name##_count++; full & 1ul; full >>= 1)                                     \
            added = skelrt_combine(name##_level[level++], added);                                     \
        name##_level[level] = added;                                                                  \
    }
#define LEVELS_TOTAL(name, to)                                                                        \
    {                                                                                                 \
        uint level = 0;                                                                               \
        while (!(name##_count >> level & 1ul)) ++level;                                               \
        to = name##_level[level];                                                                     \
        while (name##_count >> ++level)                                                               \
            if (name##_count >> level & 1ul) to = skelrt_combine(name##_level[level], to);            \
    }
#endif
)CL";

/// What a group does with a tile of elements in local memory, of which each item has a run. RUNNING_IN_GROUP: the
/// values [0, active) become running ones, by all items. BEGIN_AT(i) sets r and c to element i of a segment, ADVANCE
/// goes on.
inline constexpr const char* tile_text = R"CL(
#define IN_TILE(i) ((i) + (i) / (uint)RUN) /* runs begin in different banks */
#define RUNNING_IN_GROUP(type, values, item, active, combine)                                         \
    for (uint d = 1; d < active; d *= 2) {                                                            \
        type left;                                                                                    \
        if (item >= d && item < active) left = values[item - d];                                      \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                 \
        if (item >= d && item < active) values[item] = combine(left, values[item]);                   \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                 \
    }
)CL";
inline constexpr const char* walk_text = R"CL(
#define BEGIN_AT(i) ulong r = rows == 1 ? 0 : (i) / cols, c = rows == 1 ? (i) : (i) % cols;
#define ADVANCE(r, c, by)                                                                             \
    for (c += by; rows > 1 && c >= cols; c -= cols) ++r;
)CL";

void launch_all_pairs(const work& w, kernels& k, cl_command_queue queue);
void launch_map(const work& w, kernels& k, cl_command_queue queue);
/// False: it is no map with a product of a sparse matrix, or is for the kernels of any map; nothing was done.
bool launch_row_sums(const work& w, kernels& k, cl_command_queue queue);
void launch_accumulate(const work& w, kernels& k, cl_command_queue queue);
void launch_filter(const work& w, kernels& k, cl_command_queue queue);
void launch_reduce(const work& w, kernels& k, cl_command_queue queue);
void launch_rows(const work& w, kernels& k, cl_command_queue queue);
void launch_columns(const work& w, kernels& k, cl_command_queue queue);
void launch_scan(const work& w, kernels& k, cl_command_queue queue);
void launch_scan_rows(const work& w, kernels& k, cl_command_queue queue);
void launch_scan_columns(const work& w, kernels& k, cl_command_queue queue);
void launch_sort(const work& w, kernels& k, cl_command_queue queue);
void launch_stencil(const work& w, kernels& k, cl_command_queue queue);
void launch_wavefront(const work& w, kernels& k, cl_command_queue queue);

std::size_t accumulate_scratch(const recipe& what);
std::size_t filter_scratch();
std::size_t reduce_scratch(const recipe& what);
std::size_t columns_scratch(const recipe& what, std::size_t columns);
std::size_t scan_scratch(const recipe& what, std::size_t columns);
std::size_t sort_scratch_bytes(const recipe& what, std::size_t elements);

/// Whether the smallest tile for so many steps fits into local memory.
bool tile_fits(const recipe& what, unsigned steps, std::size_t local_bytes);
/// The most steps up to `most` whose tiles leave room for another group and load few positions twice.
unsigned steps_of_tile(const recipe& what, unsigned most, std::size_t local_bytes);
/// Options that a stencil's program is built with.
std::string stencil_options(const recipe& what, unsigned steps, bool checked);

/// The same of all_pairs and sorts: how groups of so many work-items share their tiles.
std::string pair_options(const recipe& what, std::size_t items);
std::string sort_options(const recipe& what, unsigned block);
/// Local memory that such a group wants at least.
std::size_t pair_local_bytes(const recipe& what, std::size_t items);
std::size_t sort_local_bytes(const recipe& what, unsigned block);
inline constexpr std::size_t pair_group = 256; ///< work-items, unless a plan says otherwise

/// The axis that tiles cut: planes, rows or columns.
inline cl_int cut_axis(const work& w) { return w.what.stencil.rank == 3 ? 0 : w.matrix ? 1 : 2; }

} // namespace skelrt::detail::opencl
