// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/opencl/api.hpp"
#include "codelets/work.hpp"

#include <cstddef>
#include <optional>
#include <string>

/// The OpenCL implementation of every skeleton. Knows no StarPU: contexts, devices and queues come from outside.
namespace skelrt::detail::opencl
{

/// Why OpenCL cannot do this call, in one sentence with the user's file and line; nothing if it can. The first question
/// costs a translation (tens of microseconds), later ones a lock. Also tells of a build that prepare() saw fail.
std::optional<std::string> refusal(const recipe& what, bool device_has_fp64);

/// Builds the kernels of a call for a device, or finds them: some 100 ms, about 1 ms from the cache on disk, and
/// next to nothing once done. Throws function_error when OpenCL cannot do it; then every later call does the same.
void prepare(const recipe& what, cl_context context, cl_device_id device, const kernel_variant& variant = {});

/// The same without a compiler. False: the cache on disk has no such kernels. Throws as prepare() does.
bool prepare_from_cache(const recipe& what, cl_context context, cl_device_id device,
                        const kernel_variant& variant = {});

/// Whether prepare() would find nothing to do. A lock.
bool is_prepared(const recipe& what, cl_context context, cl_device_id device, const kernel_variant& variant = {});

/// Steps of an iterated stencil that one pass over the grid should make, at most `most`: what pays, or with `forced`,
/// what local memory has room for.
unsigned steps_of_pass(const recipe& what, cl_device_id device, unsigned most, bool forced);

/// Bytes of device memory that launch() wants in work::scratch for a call of that many elements and columns.
std::size_t scratch_bytes(const recipe& what, std::size_t elements, std::size_t columns);

/// Enqueues the work on an in-order queue and returns at once. Prepares the kernels if nobody has. A slot's data is
/// a cl_mem, to which slot_view::offset bytes are added; uniforms and work::start are host pointers, read before the
/// call returns. Work without elements enqueues nothing, and a reduction then leaves its result as it was (but
/// reduce_rows with a start value writes it for rows without columns). Thread-safe.
void launch(const work& what, cl_context context, cl_device_id device, cl_command_queue queue);

/// Enqueues a copy between two places that do not overlap; no bytes: nothing.
void copy(cl_mem to, std::size_t to_offset, cl_mem from, std::size_t from_offset, std::size_t bytes,
          cl_command_queue queue);

/// Copies from host memory, which may go afterwards; in the order of the queue.
void write(cl_mem to, std::size_t to_offset, const void* from, std::size_t bytes, cl_command_queue queue);
/// Enqueues a copy to host memory; it is there when the queue has got past it.
void read(void* to, cl_mem from, std::size_t from_offset, std::size_t bytes, cl_command_queue queue);

/// The same, and waits.
void read_and_wait(void* to, cl_mem from, std::size_t from_offset, std::size_t bytes, cl_command_queue queue);

/// Enqueues a copy of `rows` times `row_bytes` bytes, which lie `pitch` apart and follow each other at `to`.
void copy_rows(cl_mem to, std::size_t to_offset, cl_mem from, std::size_t from_offset, std::size_t row_bytes,
               std::size_t rows, std::size_t pitch, cl_command_queue queue);

/// Memory of a context, which one thread at a time uses, for samples of calls, on which functions are checked; grows,
/// and stays.
cl_mem sample_memory(cl_context context, std::size_t bytes);

} // namespace skelrt::detail::opencl
