// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/parts/rectangle.hpp"

#include <skelrt/detail/storage.hpp>

#include <starpu.h>

#include <cstddef>
#include <cstdint>

namespace skelrt::detail
{

struct placement;

/// As tasks see a storage: rows of a matrix, else one row.
inline rectangle all_of(const storage& s) noexcept
{
    return s.whole_rows ? rectangle{0, 0, s.rows, s.cols} : rectangle{0, 0, 1, s.count()};
}

/// The smallest rectangle of these that a view lies in: it has as many elements as the view, or others between them.
rectangle part_at(const rectangle& all, const placement& p) noexcept;
/// The same, of a storage.
rectangle part_at(const storage& s, const placement& p) noexcept;

/// Registers a part of a storage with StarPU: rows that follow each other as register_handle() does, others with their
/// gaps, and copies of both go behind the kernels that were left running.
void register_part(starpu_data_handle_t& handle, const storage& s, const rectangle& part);

/// What a task's buffer shows of a part.
struct part_view {
    void* data;         ///< OpenCL: a cl_mem
    std::size_t offset; ///< OpenCL: bytes
    std::size_t ld;     ///< elements between rows; 0: they follow each other
};
part_view view_of_buffer(const void* buffer, bool opencl) noexcept;

/// Where it lies, in the memory of a CUDA device or the host's: from its first byte to its last, gaps counted.
struct byte_range {
    std::uintptr_t begin, end;
};
byte_range bytes_of_buffer(const void* buffer) noexcept;
/// Until no kernel that was left running on a GPU writes what is there of it.
void wait_for_kernels(starpu_data_handle_t handle) noexcept;

} // namespace skelrt::detail
