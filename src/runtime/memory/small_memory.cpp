// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/memory/small_memory.hpp"

#include "src/runtime/environment/environment.hpp"

#include <fmt/format.h>
#include <starpu.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace skelrt::detail
{

namespace
{

constexpr const char* suballocator = "STARPU_SUBALLOCATOR";
std::atomic<bool> has_chunks{true};

/// The least of StarPU's limits for CUDA devices, in MB; 0: none.
long least_limit()
{
    constexpr int most_devices = 16;
    long least = 0;
    const auto look_at = [&](const std::string& name) {
        const long mb = std::strtol(env_text(name).value_or("").c_str(), nullptr, 10); // as StarPU reads it
        if (mb > 0) least = least == 0 ? mb : std::min(least, mb);
    };
    look_at("STARPU_LIMIT_CUDA_MEM");
    for (int k = 0; k < most_devices; ++k) look_at(fmt::format("STARPU_LIMIT_CUDA_{}_MEM", k));
    return least;
}

} // namespace

void choose_gpu_allocator()
{
    constexpr long room_enough = 1024; // 32 chunks
    static bool ours = false;          // runtimes follow each other in a process, and limits may change between them
    const long least = least_limit();
    if (least > 0 && least < room_enough && !std::getenv(suballocator)) {
        setenv(suballocator, "0", 0);
        ours = true;
    } else if (ours && (least == 0 || least >= room_enough)) {
        unsetenv(suballocator);
        ours = false;
    }
    has_chunks = env_text(suballocator).value_or("1") != "0";
}

void* take_of_chunk(std::size_t bytes) noexcept
{
    if (!has_chunks || starpu_cuda_worker_get_count() == 0) return nullptr;
    return reinterpret_cast<void*>(starpu_malloc_on_node(STARPU_MAIN_RAM, bytes));
}

void give_back_to_chunk(void* data, std::size_t bytes) noexcept
{
    starpu_free_on_node(STARPU_MAIN_RAM, reinterpret_cast<std::uintptr_t>(data), bytes);
}

void make_first_chunk() noexcept
{
    constexpr std::size_t little = 4096;
    const std::uintptr_t some = starpu_malloc_on_node(STARPU_MAIN_RAM, little);
    if (some) starpu_free_on_node(STARPU_MAIN_RAM, some, little); // the chunk stays
}

} // namespace skelrt::detail
