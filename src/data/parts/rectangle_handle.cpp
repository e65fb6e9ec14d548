#include "src/data/parts/rectangle_handle.hpp"

#include "src/data/tile_handle.hpp"

#include <skelrt/view.hpp>

#include "src/config.hpp"
#if SKELRT_HAVE_CUDA
#include "src/jit/cuda_queue.hpp"

#include <starpu_cuda.h>
#endif

#include <cstdint>

namespace skelrt::detail
{

namespace
{

#if SKELRT_HAVE_CUDA
int device_of(unsigned node) { return starpu_memory_node_get_devid(node); }

int copy(void* from, unsigned from_node, void* to, unsigned to_node, cudaStream_t stream, cudaMemcpyKind kind)
{
    const auto& source = *static_cast<const starpu_matrix_interface*>(from);
    const auto& target = *static_cast<const starpu_matrix_interface*>(to);
    const std::size_t element = source.elemsize;
    const int result = starpu_cuda_copy2d_async_sync(reinterpret_cast<void*>(source.ptr), from_node,
                                                     reinterpret_cast<void*>(target.ptr), to_node, source.nx * element,
                                                     source.ny, source.ld * element, target.ld * element, stream, kind);
    starpu_interface_data_copy(from_node, to_node, source.nx * source.ny * element);
    return result;
}

int host_to_cuda(void* from, unsigned from_node, void* to, unsigned to_node, cudaStream_t stream)
{
    order_copy(device_of(to_node), stream);
    return copy(from, from_node, to, to_node, stream, cudaMemcpyHostToDevice);
}

int cuda_to_host(void* from, unsigned from_node, void* to, unsigned to_node, cudaStream_t stream)
{
    order_copy(device_of(from_node), stream);
    return copy(from, from_node, to, to_node, stream, cudaMemcpyDeviceToHost);
}

void wait_for_node(unsigned node)
{
    if (starpu_node_get_kind(node) == STARPU_CUDA_RAM) wait_for_running(device_of(node));
}

/// Copies without a stream that we are told of: between GPUs, and where StarPU copies synchronously.
int any_to_any(void* from, unsigned from_node, void* to, unsigned to_node, void* async)
{
    wait_for_node(from_node);
    wait_for_node(to_node);
    return starpu_interface_matrix_ops.copy_methods->any_to_any(from, from_node, to, to_node, async);
}

starpu_data_interface_ops& rectangle_ops()
{
    static starpu_data_copy_methods methods = [] {
        starpu_data_copy_methods m = *starpu_interface_matrix_ops.copy_methods;
        m.ram_to_cuda_async = &host_to_cuda;
        m.cuda_to_ram_async = &cuda_to_host;
        m.any_to_any = &any_to_any;
        return m;
    }();
    static starpu_data_interface_ops ops = [] {
        starpu_data_interface_ops o = starpu_interface_matrix_ops;
        o.copy_methods = &methods;
        o.interfaceid = STARPU_UNKNOWN_INTERFACE_ID; // StarPU gives it one
        o.name = const_cast<char*>("skelrt rectangle");
        return o;
    }();
    return ops;
}
#else
starpu_data_interface_ops& rectangle_ops() { return starpu_interface_matrix_ops; }
#endif

} // namespace

rectangle all_of(const storage& s) noexcept
{
    return s.whole_rows ? rectangle{0, 0, s.rows, s.cols} : rectangle{0, 0, 1, s.count()};
}

rectangle part_at(const storage& s, const placement& p) noexcept
{
    const rectangle all = all_of(s);
    if (p.rows * p.cols == 0 || all.cols == 0) return {};
    const std::size_t row = p.offset / all.cols, col = p.offset % all.cols;
    // Elements that are `stride` apart: one below the other, or not.
    const bool column = p.rows == 1 && p.cols > 1 && p.stride != 1;
    if (column && p.stride != all.cols) return all;
    const rectangle part = column ? rectangle{row, col, p.cols, 1} : rectangle{row, col, p.rows, p.cols};
    if (part.rows > 1 && !column && p.ld != all.cols) return all;
    return contains(all, part) ? part : all;
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
    starpu_data_register(&handle, STARPU_MAIN_RAM, &all, &rectangle_ops());
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

} // namespace skelrt::detail
