// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/tile_handle.hpp"

#include "src/data/ordered_copies.hpp"
#include "src/data/range/tile_range.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <cstdint>
#include <limits>
#include <type_traits>

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

struct place_in_range {
    std::shared_ptr<tile_range> range;
    std::size_t tile;
};

/// A vector's, for all of StarPU's operations on one, and where the tile lies. The handle's, on every node.
struct ranged_interface {
    starpu_vector_interface elements;
    place_in_range* place;
};
static_assert(std::is_standard_layout_v<ranged_interface>);

ranged_interface& ranged(void* i) { return *static_cast<ranged_interface*>(i); }

ranged_interface& ranged_on(starpu_data_handle_t handle, unsigned node)
{
    return ranged(starpu_data_get_interface_on_node(handle, node));
}

void register_ranged(starpu_data_handle_t handle, int home, void* interface)
{
    starpu_interface_vector_ops.register_data_handle(handle, home, interface);
    for (unsigned node = 0; node < STARPU_MAXNODES; ++node) ranged_on(handle, node).place = ranged(interface).place;
}

void unregister_ranged(starpu_data_handle_t handle) { delete ranged_on(handle, STARPU_MAIN_RAM).place; }

starpu_ssize_t allocate_ranged(void* interface, unsigned node)
{
    auto& [elements, place] = ranged(interface);
    if (!place->range->covers(node)) return starpu_interface_vector_ops.allocate_data_on_node(interface, node);
    const std::uintptr_t at = place->range->take(node, place->tile);
    if (at == 0) return -ENOMEM;
    elements.ptr = elements.dev_handle = at;
    elements.offset = 0;
    return static_cast<starpu_ssize_t>(elements.allocsize);
}

void free_ranged(void* interface, unsigned node)
{
    auto& [elements, place] = ranged(interface);
    if (!place->range->covers(node)) return starpu_interface_vector_ops.free_data_on_node(interface, node);
    place->range->give_back(node, place->tile);
    elements.ptr = elements.dev_handle = 0;
}

/// A tile whose memory is its own, where its range has it: no other handle's can take its place.
struct ranged_kind : tile_kind {
    static constexpr const char* name = "skelrt tile of a range";
    static starpu_data_interface_ops& base()
    {
        static starpu_data_interface_ops ops = [] {
            starpu_data_interface_ops o = starpu_interface_vector_ops;
            o.register_data_handle = &register_ranged;
            o.unregister_data_handle = &unregister_ranged;
            o.allocate_data_on_node = &allocate_ranged;
            o.free_data_on_node = &free_ranged;
            o.interface_size = sizeof(ranged_interface);
            o.dontcache = 1;
            return o;
        }();
        return ops;
    }
};

starpu_vector_interface elements_at(void* data, std::size_t count, std::size_t element_size)
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
    return all;
}

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
    starpu_vector_interface all = elements_at(data, count, element_size);
    starpu_data_register(&handle, data ? STARPU_MAIN_RAM : -1, &all, &ordered_copies<tile_kind>::ops());
}

void register_tile(starpu_data_handle_t& handle, void* data, std::size_t count, std::size_t element_size,
                   const std::shared_ptr<tile_range>& range, std::size_t tile)
{
    if (!range) return register_handle(handle, data, count, element_size);
    ranged_interface all{elements_at(data, count, element_size), new place_in_range{range, tile}};
    starpu_data_register(&handle, STARPU_MAIN_RAM, &all, &ordered_copies<ranged_kind>::ops());
}

bool is_tile_of(starpu_data_handle_t handle, const tile_range& range, std::size_t tile) noexcept
{
    if (starpu_data_get_interface_id(handle) != ordered_copies<ranged_kind>::ops().interfaceid) return false;
    const place_in_range& place = *ranged_on(handle, STARPU_MAIN_RAM).place;
    return place.range.get() == &range && place.tile == tile;
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
