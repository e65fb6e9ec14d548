// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/range/device_pages.hpp"

#include "src/config.hpp"
#if SKELRT_HAVE_CUDA
#include "src/jit/lanes/cuda_queue.hpp"
#include "src/jit/pages.hpp"
#endif

#include <starpu.h>

#include <vector>

namespace skelrt::detail
{

#if SKELRT_HAVE_CUDA

namespace
{

/// The device itself, and those that StarPU copies between it and them without a way through the host.
std::vector<int> who_reaches(int device)
{
    std::vector<int> all{device};
    for (unsigned node = 0; node < starpu_memory_nodes_get_count(); ++node) {
        if (starpu_node_get_kind(node) != STARPU_CUDA_RAM) continue;
        if (const int other = starpu_memory_node_get_devid(node); other != device && reaches(other, device))
            all.push_back(other);
    }
    return all;
}

class cuda_pages final : public page_source
{
public:
    explicit cuda_pages(unsigned node)
        : node_(node), device_(starpu_memory_node_get_devid(node)), users_(who_reaches(device_))
    {
    }

    std::size_t page_bytes() const noexcept override { return detail::page_bytes(device_); }
    std::uintptr_t reserve(std::size_t bytes) noexcept override { return reserve_addresses(bytes); }
    void leave(std::uintptr_t begin, std::size_t bytes) noexcept override { free_addresses(begin, bytes); }

    std::optional<std::uint64_t> create(std::size_t bytes) noexcept override
    {
        if (starpu_memory_allocate(node_, bytes, 0) != 0) return {};
        const std::optional<std::uint64_t> memory = create_pages(device_, bytes);
        if (!memory) starpu_memory_deallocate(node_, bytes);
        return memory;
    }
    void release(std::uint64_t memory, std::size_t bytes) noexcept override
    {
        release_pages(memory);
        starpu_memory_deallocate(node_, bytes);
    }
    bool map(std::uintptr_t begin, std::size_t bytes, std::uint64_t memory) noexcept override
    {
        return map_pages(begin, bytes, memory, users_);
    }
    void unmap(std::uintptr_t begin, std::size_t bytes) noexcept override
    {
        wait_for_memory(device_, {begin, begin + bytes, true}); // kernels that were left running
        unmap_pages(begin, bytes);
    }

private:
    unsigned node_;
    int device_;
    std::vector<int> users_;
};

} // namespace

std::size_t page_bytes_of(unsigned node) noexcept
{
    return starpu_node_get_kind(node) == STARPU_CUDA_RAM ? page_bytes(starpu_memory_node_get_devid(node)) : 0;
}

std::unique_ptr<page_source> pages_of(unsigned node)
{
    return page_bytes_of(node) > 0 ? std::make_unique<cuda_pages>(node) : nullptr;
}

#else

std::size_t page_bytes_of(unsigned) noexcept { return 0; }
std::unique_ptr<page_source> pages_of(unsigned) { return nullptr; }

#endif

} // namespace skelrt::detail
