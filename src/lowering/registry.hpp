// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/call.hpp>

#include <starpu.h>

#include <cstddef>
#include <vector>

/// What lives as long as the process: recipes and their StarPU codelets and models.
namespace skelrt::detail
{

/// The codelet that runs a recipe on every backend. Complete when returned; StarPU may only read it then.
starpu_codelet& codelet_of(const recipe& r);
/// Of every expression that the process has evaluated, in the order of their first use.
std::vector<const recipe*> registered_recipes();
/// Copies tiles into a replica.
starpu_codelet& gather_codelet();
/// Copies the lines of a halo.
starpu_codelet& halo_codelet();
/// Combines partial results into a container.
starpu_codelet& combine_codelet();
/// Runs the calls of a batch, cores or a CUDA device.
starpu_codelet& batch_codelet();

/// Scratch memory on whatever device a task of the recipe runs on, at least `bytes`; null for 0. Caller holds
/// the order's lock.
starpu_data_handle_t scratch_of(const recipe& r, std::size_t bytes);

/// The runtime's end: scratch handles and graphs of kernels go, codelets stay.
void release_codelet_data() noexcept;

} // namespace skelrt::detail
