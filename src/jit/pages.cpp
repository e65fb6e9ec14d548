// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/pages.hpp"

#include "src/jit/current_device.hpp"
#include "src/jit/find_function.hpp"
#include "src/runtime/log.hpp"

#include <array>
#include <mutex>

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>

namespace skelrt::detail
{

namespace
{

/// libcuda is never linked: programs run where there is no driver.
struct page_driver {
    decltype(&cuDeviceGet) device_get = nullptr;
    decltype(&cuDeviceGetAttribute) device_attribute = nullptr;
    decltype(&cuMemGetAllocationGranularity) granularity = nullptr;
    decltype(&cuMemAddressReserve) reserve = nullptr;
    decltype(&cuMemAddressFree) free = nullptr;
    decltype(&cuMemCreate) create = nullptr;
    decltype(&cuMemRelease) release = nullptr;
    decltype(&cuMemMap) map = nullptr;
    decltype(&cuMemUnmap) unmap = nullptr;
    decltype(&cuMemSetAccess) set_access = nullptr;
    bool complete = false;

    page_driver()
    {
        void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
        if (!library) return;
        complete = true;
        const auto find = [&](auto& to, const char* name) { complete = find_function(library, name, to) && complete; };
        find(device_get, "cuDeviceGet");
        find(device_attribute, "cuDeviceGetAttribute");
        find(granularity, "cuMemGetAllocationGranularity");
        find(reserve, "cuMemAddressReserve");
        find(free, "cuMemAddressFree");
        find(create, "cuMemCreate");
        find(release, "cuMemRelease");
        find(map, "cuMemMap");
        find(unmap, "cuMemUnmap");
        find(set_access, "cuMemSetAccess");
    }
};

const page_driver& driver()
{
    static const page_driver all;
    return all;
}

CUmemLocation on(int device)
{
    CUmemLocation where{};
    where.type = CU_MEM_LOCATION_TYPE_DEVICE;
    where.id = device;
    return where;
}

CUmemAllocationProp memory_on(int device)
{
    CUmemAllocationProp how{};
    how.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    how.location = on(device);
    return how;
}

std::size_t ask_page_bytes(int device)
{
    const page_driver& d = driver();
    CUdevice number = 0;
    int can = 0;
    if (!d.complete || d.device_get(&number, device) != CUDA_SUCCESS ||
        d.device_attribute(&can, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, number) != CUDA_SUCCESS ||
        can == 0)
        return 0;
    const CUmemAllocationProp how = memory_on(device);
    std::size_t bytes = 0;
    return d.granularity(&bytes, &how, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED) == CUDA_SUCCESS ? bytes : 0;
}

/// What the driver says no to although it should not; memory that is out is nothing to speak of.
bool succeeds(CUresult result, const char* what) noexcept
{
    if (result != CUDA_SUCCESS && result != CUDA_ERROR_OUT_OF_MEMORY && result != CUDA_ERROR_DEINITIALIZED)
        log_error("CUDA: {} of pages of a device's memory: error {}", what, static_cast<int>(result));
    return result == CUDA_SUCCESS;
}

} // namespace

std::size_t page_bytes(int device) noexcept
{
    static std::mutex guard;
    static std::array<std::optional<std::size_t>, most_devices> known;
    if (device < 0 || device >= most_devices) return 0;
    const std::lock_guard lock(guard);
    std::optional<std::size_t>& bytes = known[static_cast<std::size_t>(device)];
    if (!bytes) bytes = ask_page_bytes(device);
    return *bytes;
}

std::uintptr_t reserve_addresses(std::size_t bytes) noexcept
{
    CUdeviceptr begin = 0;
    return succeeds(driver().reserve(&begin, bytes, 0, 0, 0), "addresses") ? begin : 0;
}

void free_addresses(std::uintptr_t begin, std::size_t bytes) noexcept
{
    succeeds(driver().free(begin, bytes), "end of addresses");
}

std::optional<std::uint64_t> create_pages(int device, std::size_t bytes) noexcept
{
    const CUmemAllocationProp how = memory_on(device);
    CUmemGenericAllocationHandle memory = 0;
    if (!succeeds(driver().create(&memory, bytes, &how, 0), "allocation")) return {};
    return memory;
}

void release_pages(std::uint64_t memory) noexcept { succeeds(driver().release(memory), "release"); }

bool map_pages(std::uintptr_t begin, std::size_t bytes, std::uint64_t memory, std::span<const int> devices) noexcept
{
    if (!succeeds(driver().map(begin, bytes, 0, memory, 0), "mapping")) return false;
    std::array<CUmemAccessDesc, most_devices> who{};
    std::size_t count = 0;
    for (const int device : devices) {
        who[count].location = on(device);
        who[count++].flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    }
    if (succeeds(driver().set_access(begin, bytes, who.data(), count), "access")) return true;
    unmap_pages(begin, bytes);
    return false;
}

void unmap_pages(std::uintptr_t begin, std::size_t bytes) noexcept
{
    succeeds(driver().unmap(begin, bytes), "end of a mapping");
}

bool reaches(int device, int other) noexcept
{
    int can = 0;
    return cudaDeviceCanAccessPeer(&can, device, other) == cudaSuccess && can != 0;
}

} // namespace skelrt::detail
