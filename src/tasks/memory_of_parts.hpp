// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/parts/rectangle_handle.hpp"
#include "src/runtime/memory/small_array.hpp"
#include "src/tasks/task_record.hpp"

#include <cstddef>

namespace skelrt::detail
{

/// A part as the device sees it, once StarPU has brought it there.
inline part_memory memory_of(const placed_part& p, void* const buffers[], device kind) noexcept
{
    if (p.buffer == placed_part::none) return {nullptr, 0, p.rows, p.cols, p.ld};
    if (p.buffer == placed_part::host) return {p.at_home, 0, p.rows, p.cols, p.ld};
    const part_view v = view_of_buffer(buffers[p.buffer], kind == device::opencl);
    const std::size_t ld = v.ld > 0 ? v.ld : p.ld;
    const std::size_t bytes = (p.row * ld + p.col) * p.element_size;
    if (kind == device::opencl) return {v.data, v.offset + bytes, p.rows, p.cols, ld};
    return {static_cast<std::byte*>(v.data) + bytes, 0, p.rows, p.cols, ld};
}

/// All parts of a task, where it runs.
class memory_of_parts
{
public:
    memory_of_parts(const task_record& t, void* const buffers[], device kind) : all_(t.parts.size())
    {
        for (std::size_t k = 0; k < t.parts.size(); ++k) all_[k] = memory_of(t.parts[k], buffers, kind);
    }
    const part_memory* data() const { return all_.data(); }
    const part_memory& operator[](std::size_t k) const { return all_[k]; }

private:
    small_array<part_memory, few_slots> all_;
};

} // namespace skelrt::detail
