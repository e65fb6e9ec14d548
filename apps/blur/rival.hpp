// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

/// Hand-written CUDA programs for the same filters; see apps/shared/rival.hpp.
namespace blur::rival
{

struct problem {
    std::size_t rows, cols;
    int planes, times;
    bool dense;
    float weights[19];
};

/// Copies the planes to the GPU, filters each of them p.times times, `untimed` times and then `repeat` times, each
/// until the GPU is done, with the time of each in seconds[i], and copies the results to values[plane]. Returns null,
/// or what went wrong.
const char* run(const problem& p, int untimed, int repeat, double* seconds, const float* const* planes,
                float* const* values);

} // namespace blur::rival
