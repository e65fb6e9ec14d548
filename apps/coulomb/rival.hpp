// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

/// A hand-written CUDA program for the same formula; see apps/shared/rival.hpp.
namespace coulomb::rival
{

struct charge {
    float x, y, z, q;
};

struct problem {
    const charge* charges; ///< on the host
    std::size_t count;
    std::size_t rows, runs, ny; ///< result: rows x runs x 8 floats; row = z * ny + y
    float x0, y0, z0, hx, hy, hz, scale, near2;
};

/// Copies the charges to the GPU, runs the kernel `untimed` times and then `repeat` times, each until the GPU is done,
/// with the time of each in seconds[i], and copies the result to `values`. Returns nullptr, or what went wrong.
const char* run(const problem& p, int untimed, int repeat, double* seconds, float* values);

} // namespace coulomb::rival
