#pragma once

#include "codelets/work.hpp"

#include "src/function/cuda.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

/// How the kernels of a stencil share the work, decided when they are built.
namespace skelrt::detail::cuda
{

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
    double worth = 0;                   ///< reuse times occupancy
};

struct stencil_plan {
    unsigned steps = 1;
    hood_memory hoods = hood_memory::tile;
    const void* kernel = nullptr;
    std::vector<tile_choice> tiles[2]; ///< for vectors; for matrices and tensors
    std::size_t processors = 1;        ///< of the device
};

/// Which kernel suits the recipe, by what its tiles need. Throws function_error when so many steps do not fit.
stencil_plan plan_stencil(const recipe& what, unsigned steps);

/// Shared memory of the smallest tile that a block can work with.
std::size_t smallest_tile_bytes(const recipe& what, unsigned steps);

/// Once the kernel is loaded: the sizes of tiles that the current device can run, by the occupancy that it computes.
void choose_tiles(const recipe& what, stencil_plan& plan);

/// Lets the kernel use the current device's shared memory.
void allow_shared_memory(const stencil_plan& plan);

} // namespace skelrt::detail::cuda
