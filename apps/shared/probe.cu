// SPDX-License-Identifier: BSD-3-Clause
// The build compiles this to see whether nvcc and its host compiler get along.
__global__ void probe() {}
