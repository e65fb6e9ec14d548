// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/work.hpp"

#include <compare>
#include <cstddef>
#include <string_view>

#include <driver_types.h>

/// The CUDA implementation of the skeletons. Knows devices and streams, no runtime system.
///
/// All of a recipe's kernels are one program, built by NVRTC on first use and cached on disk. launch() enqueues and
/// returns: no waiting, no allocation, some microseconds of host time. Kernels run on the calling thread's device.
namespace skelrt::detail::cuda
{

/// Of a recipe's kernels. Those of a stencil make a pass of so many steps, on all positions or those of one color;
/// blocks have so many threads, a multiple of 32 (stencils: a power of two from 64 on), or, 0, as many as is usual.
struct kernel_variant {
    unsigned steps = 1;
    bool colored = false;
    unsigned block = 0;
    friend auto operator<=>(const kernel_variant&, const kernel_variant&) = default;
};

/// Builds or loads all kernels of the recipe for a device, and uploads them there: 50 to 300 ms the first time on a
/// machine, below 1 ms when the cache on disk has them, nothing when done before. Thread-safe. Throws function_error
/// when the compiler refuses a user function, error when the device cannot be used.
void prepare(const recipe& what, int device, const kernel_variant& variant = {});

/// The same without a compiler. False: the cache on disk has no such kernels. Throws as prepare() does.
bool prepare_from_cache(const recipe& what, int device, const kernel_variant& variant = {});

/// Whether prepare() would find nothing to do. Cheap.
bool is_prepared(const recipe& what, int device, const kernel_variant& variant = {});

/// Steps of an iterated stencil that one pass over the grid should make, at most `most`: what pays, or with `forced`,
/// what registers or shared memory have room for.
unsigned steps_of_pass(const recipe& what, unsigned most, bool forced);

/// Compiles all kernels of the recipe for an architecture ("sm_90"); needs no GPU. Throws function_error.
void check(const recipe& what, std::string_view arch, const kernel_variant& variant = {});

/// Device memory that launch() wants in work::scratch for a call over `elements` positions in `columns` columns,
/// however they are cut into segments. Does not depend on the device, and so neither does the order of combination.
std::size_t scratch_bytes(const recipe& what, std::size_t elements, std::size_t columns, unsigned block = 0);

/// Enqueues the work on the stream. Pointers in the slots are the current device's; uniforms and work::start are read
/// before launch() returns. A map may run in place: the result may be the same elements as an input (not shifted ones).
/// Reductions of nothing (no segments, or empty ones, without a start value) leave the result as it is.
void launch(const work& what, cudaStream_t stream);

/// Enqueues a copy between any two places, host or device.
void copy(void* to, const void* from, std::size_t bytes, cudaStream_t stream);

/// What was made of launches that repeat (launch_list.hpp), on all devices, once all tasks have ended.
void release_graphs() noexcept;

} // namespace skelrt::detail::cuda
