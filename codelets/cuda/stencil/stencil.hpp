// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/cuda/cuda.hpp"
#include "codelets/cuda/shape.hpp"
#include "codelets/work.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// How the kernels of a stencil share the work, decided when they are built.
namespace skelrt::detail::cuda
{

constexpr std::size_t widest_access = 16; ///< bytes that one instruction loads
constexpr unsigned most_pack = 4;         ///< results of a thread that lie in a row

/// Distances between neighbours in a shared tile, known when the kernel is compiled.
struct tile_pitch {
    std::size_t y, z;
};
tile_pitch pitch_of(const recipe& what, unsigned steps);

/// One way to cut a segment into blocks.
struct tile_choice {
    std::array<std::size_t, 3> block{}; ///< positions on each axis: planes, rows, columns
    std::size_t room = 0;               ///< positions that one tile holds
    std::size_t bytes = 0;              ///< of shared memory
    std::size_t loads = 0;              ///< positions that are brought for a block
    std::size_t at_once = 0;            ///< blocks that a processor runs at the same time
};

/// Strips of columns along the edges of the grid, which streams cut into shorter chunks: the first one, and the last
/// ones.
inline constexpr unsigned edge_strips = 3;
/// Threads side by side on every other column, in half steps that are made in place.
inline constexpr unsigned alternating_lanes = 64;

/// Where a stencil's kernel keeps what the hoods see.
enum class hood_place : std::uint8_t {
    registers, ///< stencil_stream.cpp
    tile,      ///< stencil_tile.cpp
    memory,    ///< stencil_direct.cpp
    window,    ///< stencil_window.cpp
    patch,     ///< stencil_lockstep.cpp
};

/// Constants of the kernel that keeps hoods in registers.
struct stream_shape {
    unsigned pack = 1;      ///< neighbouring columns of a lane
    unsigned rows = 1;      ///< rows of a tensor's planes that a lane computes
    unsigned depth = 1;     ///< slices that are read ahead
    unsigned unroll = 1;    ///< slices in the body of the loop, a multiple of depth
    std::size_t tokens = 0; ///< of all copies of the user's functions in that body
};

/// What a thread computes: neighbouring columns of rows of planes.
struct patch_shape {
    unsigned pack = 1, planes = 1, rows = 1;
};

/// Positions that a thread computes at once, and how threads stand in a block.
struct lockstep_shape {
    unsigned rows = 1, columns = 1; ///< of a thread
    unsigned across = 1;            ///< threads side by side; the others of a block stand below them
    bool unrolled = false;          ///< all loops of the function; else only the innermost
};

struct stencil_plan {
    unsigned steps = 1;
    unsigned block = block_threads; ///< threads of a block, a power of two
    bool colored = false;           ///< for calls that compute the positions of one color
    bool alternates = false;        ///< many half steps of one call are made in place
    unsigned pack = 1;              ///< columns that threads load and store at once
    hood_place hoods = hood_place::tile;
    stream_shape stream;
    patch_shape patch;
    lockstep_shape lockstep;
    std::array<unsigned, 3> direct{1, 1, 1}; ///< planes, rows and columns that a thread computes straight from memory
    const void* kernel = nullptr;
    const void* in_place = nullptr;    ///< of a half step, if it alternates
    const void* single = nullptr;      ///< straight from memory, a position for each thread
    std::vector<tile_choice> tiles[2]; ///< for vectors; for matrices and tensors
    bool overlaps = false;      ///< the device can begin a kernel in place before the one in front of it has ended
    std::size_t processors = 1; ///< of the device
    std::size_t threads = 1;    ///< that a processor of it has room for
    std::size_t warps = 1;      ///< that a processor runs at once, of a kernel without tiles
};

/// Whether registers hold what the hoods see, and how; nothing: they do not.
std::optional<stream_shape> shape_stream(const recipe& what, unsigned steps);

/// Columns and rows that one warp of such a kernel computes in each slice.
std::size_t strip_columns(const recipe& what, const stencil_plan& plan);

/// The patch whose hoods fit in registers, if there is one.
std::optional<patch_shape> shape_window(const recipe& what);

/// How threads compute several positions at once, if the function's text lets them and a tile has room for what a block
/// of so many threads sees.
std::optional<lockstep_shape> shape_lockstep(const recipe& what, unsigned block);

/// Positions of a block on each axis, and its shared memory.
std::array<std::size_t, 3> lockstep_block(const stencil_plan& plan);
std::size_t lockstep_bytes(const recipe& what, const stencil_plan& plan);

/// Of a matrix's hoods, the same on all four sides; 0: it is not.
std::size_t even_reach(const stencil_shape& shape);

/// Whether registers can hold what hoods see: numbers, at distances that are known.
bool numbers_at_constant_distances(const recipe& what);

/// Planes, rows and columns that a thread computes straight from memory.
std::array<unsigned, 3> patch_of(const recipe& what);

/// Of a text, and of all texts of user functions.
std::size_t tokens_of(const function_source& f);
std::size_t tokens_of(const recipe& what);

/// Which kernel suits the recipe, by what its tiles need. Throws function_error when so many steps do not fit.
stencil_plan plan_stencil(const recipe& what, const kernel_variant& variant);

/// Shared memory of the smallest tile that a block can work with.
std::size_t smallest_tile_bytes(const recipe& what, unsigned steps);

/// Once the kernel is loaded: the sizes of tiles that the current device can run, by the occupancy that it computes.
void choose_tiles(const recipe& what, stencil_plan& plan);

/// Lets the kernel use the current device's shared memory.
void allow_shared_memory(const stencil_plan& plan);

} // namespace skelrt::detail::cuda
