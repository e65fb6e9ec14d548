// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/work.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

/// What the kernels of a recipe look like, and which of them suits a segment.
namespace skelrt::detail::cuda
{

/// Threads of a block, unless a plan says otherwise.
inline constexpr unsigned block_threads = 256;
/// `block`: a plan's, 0: it does not say.
inline unsigned threads_of(unsigned block) { return block > 0 ? block : block_threads; }
inline constexpr unsigned warp_lanes = 32;

/// Threads enough to fill a large GPU a few times over. A constant rather than the device's size, so that reductions
/// combine in the same order on every device.
inline constexpr std::size_t many_blocks = 4096;
inline constexpr std::size_t many_threads = std::size_t{1} << 18;

struct kernel_shape {
    std::vector<unsigned> outputs;       ///< those of the inputs that are written instead: results beside the last
    std::vector<unsigned> inputs;        ///< numbers of the element slots that are read
    unsigned pack = 1;                   ///< elements that a thread takes from each operand with 16-byte accesses
    unsigned in_flight = 1;              ///< packs (or elements) that a thread loads before it uses the first
    bool pairs = false;                  ///< operands of pairs: only the strided kernels exist
    bool loops = false;                  ///< bound by arithmetic: one element per thread, no packs
    bool index1 = false, index2 = false; ///< the functions ask for positions; index3 and index4 count as index2

    /// Warps cover squares of a matrix rather than parts of rows: how long loops take differs less among near
    /// neighbours.
    bool squares() const { return loops && index2; }

    std::vector<unsigned> turned; ///< those of the inputs that may be transposed matrices, if tiles of them fit
    std::vector<unsigned> straight() const; ///< the other inputs
    /// Lines and columns of a block that has tiles of them: more of small elements, for as many bytes under way.
    std::size_t turned_side = 32;
};

/// What a block and each of its warps cover then.
inline constexpr std::size_t square_cols = 32, square_rows = 8;

kernel_shape shape_of(const recipe& what);

/// Tiles of scans. Measurements may set other values before they build a recipe's kernels.
struct scan_tuning {
    unsigned threads = 512;
    unsigned depth = 8;       ///< packs that a thread takes, where elements are small
    unsigned resident = 1024; ///< threads of a multiprocessor that registers must suffice for, of words; 0: as it comes
};
inline scan_tuning scans;

inline unsigned scan_threads() { return scans.threads; }
inline std::size_t scan_depth(const recipe& what)
{
    if (what.result_size <= 8) return scans.depth;
    return what.result_size <= 16 ? 4 : what.result_size <= 32 ? 2 : 1;
}
/// Elements of a tile where packs have one element.
inline std::size_t scan_tile_elements(const recipe& what, unsigned threads) { return threads * scan_depth(what); }

/// How the element operands of a segment can be walked.
enum class access : std::uint8_t {
    packed,  ///< as one line, by aligned words of 16 bytes
    linear,  ///< as one line, element by element
    strided, ///< row by row
};

access access_of(const work& what, std::size_t segment, const kernel_shape& shape);

/// The same for the rows of a segment, each of them a line.
access row_access_of(const work& what, std::size_t segment, const kernel_shape& shape);

} // namespace skelrt::detail::cuda
