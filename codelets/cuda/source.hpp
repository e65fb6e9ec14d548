// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/cuda/launch/parameters.hpp"
#include "codelets/cuda/shape.hpp"
#include "src/function/own/row_sum.hpp"

#include <string>

/// The CUDA C++ program of a recipe, put together from pieces. Each piece is the text of one file here.
namespace skelrt::detail::cuda
{

struct program;
struct stencil_plan;

extern const char* const elements_text;   ///< elements.cpp: values in registers, packs, positions
extern const char* const ordered_text;    ///< ordered.cpp: reduction of lanes, warps and ranges that keeps the order
extern const char* const chain_text;      ///< chain.cpp: blocks that wait for those in front of them
extern const char* const combine_text;    ///< ordered.cpp: kernels that combine partial results
extern const char* const map_text;        ///< map.cpp
extern const char* const accumulate_text; ///< accumulate.cpp
std::string accumulate_constants(const recipe& what); ///< in front of it: which operand the function adds to
extern const char* const filter_text;                 ///< filter.cpp
std::string filter_constants(const recipe& what, unsigned threads);
extern const char* const reduce_text;         ///< reduce.cpp
extern const char* const reduce_rows_text;    ///< reduce_rows.cpp
extern const char* const reduce_columns_text; ///< reduce_columns.cpp

extern const char* const scan_text;                        ///< scan_text.cpp: pieces of warps, states of tiles
extern const char* const scan_tile_text;                   ///< scan_text.cpp: tiles of blocks, in chains
extern const char* const scan_flat_text;                   ///< scan.cpp
extern const char* const scan_rows_text;                   ///< scan_rows.cpp
extern const char* const scan_columns_text;                ///< scan_columns.cpp
std::string sort_text(const recipe& what, unsigned block); ///< sort.cpp

extern const char* const wavefront_text;              ///< wavefront.cpp
std::string wavefront_edges_text(const recipe& what); ///< in front of it: what lies around the matrix
std::string wavefront_constants(const recipe& what, unsigned block);

/// What the texts of scans must know of the recipe.
std::string scan_constants(const recipe& what, unsigned tile_threads);

/// Loads of the recipe's element operands, and the readers that the skeletons walk them with. SKELRT_LINES tells
/// whether there are packed and linear readers: operands of pairs have strided ones only.
std::string readers_text(const kernel_shape& shape, unsigned threads);

/// merge.cpp: sk::merge by tiles, beside the kernels of any map. Results of a block of so many threads; 0: this is no
/// call of it, or tiles cannot be shared by as many threads.
unsigned merge_tile_of(const recipe& what, unsigned threads);
std::string merge_call_constants(unsigned tile, unsigned threads);
extern const char* const merge_call_text;

/// sparse/row_sums.cpp: maps with a product of a sparse matrix in them, beside the kernels of any map.
std::string row_sums_constants(const row_sum& sum, unsigned threads);
extern const char* const row_sums_text;

std::string stencil_field_text(const recipe& what, unsigned threads); ///< stencil_field.cpp: positions and borders
std::string stencil_tile_text(const recipe& what, unsigned steps);    ///< stencil_tile.cpp: through shared memory
extern const char* const tile_helpers; ///< the same: boxes of positions, brought to tiles; needs tile_index<T>(z, y, x)
std::string stencil_stream_text(const recipe& what, const stencil_plan& plan); ///< stencil_stream.cpp: in registers
std::string stencil_window_text(const recipe& what, const stencil_plan& plan); ///< stencil_window.cpp: in registers
std::string stencil_direct_text(const recipe& what,
                                const stencil_plan& plan); ///< stencil_direct.cpp: straight from memory
std::string stencil_lockstep_text(const recipe& what,
                                  const stencil_plan& plan); ///< stencil_lockstep.cpp: several positions at once
/// In front of the hoods; empty: the plan does without.
std::string lockstep_constants(const recipe& what, const stencil_plan& plan);
/// Of functions that may loop as far as their hoods reach; empty: they do not. stencil_known.cpp
std::string stencil_known_text(const recipe& what);

/// `form` with # replaced by the number of each input slot of that kind.
std::string for_each_slot(const recipe& what, slot_kind kind, const std::string& form, const std::string& between);
/// The same for all hoods that functions see, for all operands with surroundings, and for the sources of one map under
/// a hood.
std::string for_each_hood(const recipe& what, const std::string& form, const std::string& between);
std::string for_each_surrounded(const recipe& what, const std::string& form, const std::string& between);
std::string for_each_source(const recipe& what, const hood_map& map, const std::string& form,
                            const std::string& between);

/// What an element is made of, in the order of the slots: `hood` for hoods, `mapped` for those over maps, and `other`
/// for elements, with # replaced by the slot's number and @ by the hood's type.
std::string element_list(const recipe& what, const std::string& hood, const std::string& mapped,
                         const std::string& other);

/// Whether the result can take the elements of first_hood(), which stay where a stencil leaves them as they are.
bool keeps_elements(const recipe& what);

/// How a thread, a block and a panel of all_pairs are cut for the sizes of the recipe's values; as C++, too.
struct pair_shape {
    unsigned threads;      ///< of a block
    unsigned down, across; ///< warps of a block, as they lie on its tile
    unsigned rows, cols;   ///< results of a thread
    unsigned depth;        ///< of a panel
    unsigned blocks;       ///< that should fit on a multiprocessor at once
    bool plain;            ///< both sides are operands as they are: the kernels that load 16 bytes at once exist

    /// Of a block's results; a warp's threads lie in four lines of eight.
    unsigned tile_rows() const { return down * 4 * rows; }
    unsigned tile_cols() const { return across * 8 * cols; }
};
pair_shape pair_shape_of(const recipe& what, unsigned threads);
std::string pair_shape_text(const recipe& what, unsigned threads);
extern const char* const all_pairs_text; ///< all_pairs.cpp

/// All of it. `as_written`: user texts with the line breaks of their files, for messages; reads those files.
std::string source_of(const program& kernels, bool as_written);

} // namespace skelrt::detail::cuda
