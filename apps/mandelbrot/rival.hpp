// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

/// A hand-written CUDA program for the same picture; see apps/shared/rival.hpp.
namespace mandelbrot::rival
{

struct problem {
    std::size_t rows, cols;
    float x, y, step;
    int limit;
};

/// Computes the picture on the GPU `untimed` times and then `repeat` times, each until the GPU is done, with the time
/// of each in seconds[i], and copies the result to `pixels`: four bytes each. Returns null, or what went wrong.
const char* run(const problem& p, int untimed, int repeat, double* seconds, unsigned char* pixels);

} // namespace mandelbrot::rival
