// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

/// What a file that nvcc compiles offers to one that it does not: plain functions of a stream and of pointers.
void shift_on_gpu(cudaStream_t stream, float* x, std::size_t n, float by);
void square_on_gpu(cudaStream_t stream, const float* x, float* y, std::size_t n);
