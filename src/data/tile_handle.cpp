// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/tile_handle.hpp"

#include "src/data/ordered_copies.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <limits>

namespace skelrt::detail
{

namespace
{

/// Elements that follow each other.
struct tile_kind {
    static constexpr const char* name = "skelrt tile";
    static starpu_data_interface_ops& base() { return starpu_interface_vector_ops; }
    static std::uintptr_t address(const void* i) { return static_cast<const starpu_vector_interface*>(i)->ptr; }
    static std::size_t bytes(const void* i)
    {
        const auto& v = *static_cast<const starpu_vector_interface*>(i);
        return v.nx * v.elemsize;
    }
#if SKELRT_HAVE_CUDA
    static int copy(void* from, unsigned from_node, void* to, unsigned to_node, cudaStream_t stream,
                    cudaMemcpyKind direction)
    {
        const auto& source = *static_cast<const starpu_vector_interface*>(from);
        const auto& target = *static_cast<const starpu_vector_interface*>(to);
        const std::size_t bytes = source.nx * source.elemsize;
        const int result =
            starpu_cuda_copy_async_sync(reinterpret_cast<void*>(source.ptr), from_node,
                                        reinterpret_cast<void*>(target.ptr), to_node, bytes, stream, direction);
        starpu_interface_data_copy(from_node, to_node, bytes);
        return result;
    }
#endif
};

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
    starpu_data_register(&handle, data ? STARPU_MAIN_RAM : -1, &all, &ordered_copies<tile_kind>::ops());
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
