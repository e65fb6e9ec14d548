#include "src/data/tile_handle.hpp"

#include <skelrt/error.hpp>

#include "src/config.hpp"
#if SKELRT_HAVE_CUDA
#include "src/jit/cuda_queue.hpp"

#include <starpu_cuda.h>
#endif

#include <fmt/format.h>

#include <cstdint>
#include <limits>

namespace skelrt::detail
{

namespace
{

#if SKELRT_HAVE_CUDA
int device_of(unsigned node) { return starpu_memory_node_get_devid(node); }

int copy(void* from, unsigned from_node, void* to, unsigned to_node, cudaStream_t stream, cudaMemcpyKind kind)
{
    const auto& source = *static_cast<const starpu_vector_interface*>(from);
    const auto& target = *static_cast<const starpu_vector_interface*>(to);
    const std::size_t bytes = source.nx * source.elemsize;
    const int result = starpu_cuda_copy_async_sync(reinterpret_cast<void*>(source.ptr), from_node,
                                                   reinterpret_cast<void*>(target.ptr), to_node, bytes, stream, kind);
    starpu_interface_data_copy(from_node, to_node, bytes);
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
    return starpu_interface_vector_ops.copy_methods->any_to_any(from, from_node, to, to_node, async);
}

starpu_data_interface_ops& handle_ops()
{
    static starpu_data_copy_methods methods = [] {
        starpu_data_copy_methods m = *starpu_interface_vector_ops.copy_methods;
        m.ram_to_cuda_async = &host_to_cuda;
        m.cuda_to_ram_async = &cuda_to_host;
        m.any_to_any = &any_to_any;
        return m;
    }();
    static starpu_data_interface_ops ops = [] {
        starpu_data_interface_ops o = starpu_interface_vector_ops;
        o.copy_methods = &methods;
        o.interfaceid = STARPU_UNKNOWN_INTERFACE_ID; // StarPU gives it one
        o.name = const_cast<char*>("skelrt tile");
        return o;
    }();
    return ops;
}
#else
starpu_data_interface_ops& handle_ops() { return starpu_interface_vector_ops; }
#endif

} // namespace

void check_handle_size(std::size_t count)
{
    if (count > std::numeric_limits<std::uint32_t>::max())
        throw error(fmt::format("StarPU's handles hold at most {} elements, and {} are asked for in one piece; use "
                                "larger elements, or more tiles",
                                std::numeric_limits<std::uint32_t>::max(), count));
}

void register_handle(starpu_data_handle_t& handle, void* data, std::size_t count, std::size_t element_size)
{
    check_handle_size(count);
    const auto address = reinterpret_cast<std::uintptr_t>(data);
    starpu_vector_interface all{};
    all.id = STARPU_VECTOR_INTERFACE_ID;
    all.ptr = address;
    all.dev_handle = address;
    all.nx = static_cast<std::uint32_t>(count);
    all.elemsize = element_size;
    all.allocsize = count * element_size;
    starpu_data_register(&handle, data ? STARPU_MAIN_RAM : -1, &all, &handle_ops());
}

bool is_valid_on(starpu_data_handle_t handle, unsigned node) noexcept
{
    int allocated = 0, valid = 0, loading = 0, requested = 0;
    starpu_data_query_status2(handle, static_cast<int>(node), &allocated, &valid, &loading, &requested);
    return valid || (node != STARPU_MAIN_RAM && (loading || requested));
}

void claim_for_host(starpu_data_handle_t handle, starpu_data_access_mode mode) noexcept
{
    const unsigned nodes = starpu_memory_nodes_get_count();
    bool only_here = is_valid_on(handle, STARPU_MAIN_RAM);
    for (unsigned node = 0; only_here && node < nodes; ++node)
        only_here = node == STARPU_MAIN_RAM || !is_valid_on(handle, node);
    if (only_here) return; // StarPU's own way takes a microsecond
    starpu_data_acquire_on_node(handle, STARPU_MAIN_RAM, mode);
    starpu_data_release_on_node(handle, STARPU_MAIN_RAM);
}

} // namespace skelrt::detail
