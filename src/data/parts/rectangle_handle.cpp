// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/parts/rectangle_handle.hpp"

#include "src/data/ordered_copies.hpp"
#include "src/data/tile_handle.hpp"

#include <skelrt/view.hpp>

#include <cstdint>

namespace skelrt::detail
{

namespace
{

/// Rows with gaps between them.
struct rectangle_kind {
    static constexpr const char* name = "skelrt rectangle";
    static starpu_data_interface_ops& base() { return starpu_interface_matrix_ops; }
    static std::uintptr_t address(const void* i) { return static_cast<const starpu_matrix_interface*>(i)->ptr; }
    static std::size_t bytes(const void* i)
    {
        const auto& m = *static_cast<const starpu_matrix_interface*>(i);
        return m.ny == 0 ? 0 : ((m.ny - 1) * std::size_t{m.ld} + m.nx) * m.elemsize;
    }
#if SKELRT_HAVE_CUDA
    static int copy(void* from, unsigned from_node, void* to, unsigned to_node, cudaStream_t stream,
                    cudaMemcpyKind direction)
    {
        const auto& source = *static_cast<const starpu_matrix_interface*>(from);
        const auto& target = *static_cast<const starpu_matrix_interface*>(to);
        const std::size_t element = source.elemsize;
        const int result = starpu_cuda_copy2d_async_sync(
            reinterpret_cast<void*>(source.ptr), from_node, reinterpret_cast<void*>(target.ptr), to_node,
            source.nx * element, source.ny, source.ld * element, target.ld * element, stream, direction);
        starpu_interface_data_copy(from_node, to_node, source.nx * source.ny * element);
        return result;
    }
#endif
};

} // namespace

rectangle part_at(const storage& s, const placement& p) noexcept { return part_at(all_of(s), p); }

rectangle part_at(const rectangle& all, const placement& p) noexcept
{
    if (p.rows * p.cols == 0 || all.cols == 0) return {};
    const bool is_whole = p.offset == 0 && p.rows == all.rows && p.cols == all.cols && p.stride == 1;
    if (is_whole && (p.rows == 1 || p.ld == all.cols)) return all; // as most are; what follows divides
    // From the element that comes first in memory each step goes so many rows down and so many columns on.
    const std::size_t down = p.rows - 1, along = p.cols - 1;
    const std::size_t ld = goes_back(p.ld) ? 0 - p.ld : p.ld, stride = goes_back(p.stride) ? 0 - p.stride : p.stride;
    const std::size_t first = p.offset + (ld != p.ld ? down * p.ld : 0) + (stride != p.stride ? along * p.stride : 0);
    const rectangle around{first / all.cols, first % all.cols, down * (ld / all.cols) + along * (stride / all.cols) + 1,
                           down * (ld % all.cols) + along * (stride % all.cols) + 1};
    return contains(all, around) ? around : all;
}

void register_part(starpu_data_handle_t& handle, const storage& s, const rectangle& part)
{
    const std::size_t ld = all_of(s).cols;
    std::byte* const data = s.data + (part.row * ld + part.col) * s.element_size;
    if (part.rows == 1 || part.cols == ld) return register_handle(handle, data, part.size(), s.element_size);
    check_handle_size(part.size());
    check_handle_size(ld);
    const auto address = reinterpret_cast<std::uintptr_t>(data);
    starpu_matrix_interface all{};
    all.id = STARPU_MATRIX_INTERFACE_ID;
    all.ptr = address;
    all.dev_handle = address;
    all.nx = static_cast<std::uint32_t>(part.cols);
    all.ny = static_cast<std::uint32_t>(part.rows);
    all.ld = static_cast<std::uint32_t>(ld);
    all.elemsize = s.element_size;
    all.allocsize = part.size() * s.element_size;
    starpu_data_register(&handle, STARPU_MAIN_RAM, &all, &ordered_copies<rectangle_kind>::ops());
}

part_view view_of_buffer(const void* buffer, bool opencl) noexcept
{
    const auto view = [&](const auto& i, std::size_t ld) -> part_view {
        if (opencl) return {reinterpret_cast<void*>(i.dev_handle), i.offset, ld};
        return {reinterpret_cast<void*>(i.ptr), 0, ld};
    };
    if (static_cast<const starpu_vector_interface*>(buffer)->id == STARPU_MATRIX_INTERFACE_ID) {
        const auto& m = *static_cast<const starpu_matrix_interface*>(buffer);
        return view(m, m.ld);
    }
    return view(*static_cast<const starpu_vector_interface*>(buffer), 0);
}

byte_range bytes_of_buffer(const void* buffer) noexcept
{
    const auto range = [&](std::uintptr_t begin, std::size_t bytes) { return byte_range{begin, begin + bytes}; };
    if (static_cast<const starpu_vector_interface*>(buffer)->id == STARPU_MATRIX_INTERFACE_ID)
        return range(rectangle_kind::address(buffer), rectangle_kind::bytes(buffer));
    const auto& v = *static_cast<const starpu_vector_interface*>(buffer);
    return range(v.ptr, v.nx * v.elemsize);
}

void wait_for_kernels([[maybe_unused]] starpu_data_handle_t handle) noexcept
{
#if SKELRT_HAVE_CUDA
    for (unsigned node = 0; node < starpu_memory_nodes_get_count(); ++node) {
        if (starpu_node_get_kind(node) != STARPU_CUDA_RAM) continue;
        const byte_range here = bytes_of_buffer(starpu_data_get_interface_on_node(handle, node));
        if (here.begin > 0) wait_for_memory(starpu_memory_node_get_devid(node), {here.begin, here.end, false});
    }
#endif
}

} // namespace skelrt::detail
