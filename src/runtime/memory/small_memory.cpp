// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/memory/small_memory.hpp"

#include "src/runtime/environment/environment.hpp"

#include <fmt/format.h>
#include <starpu.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace skelrt::detail
{

namespace
{

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
    constexpr const char* name = "STARPU_SUBALLOCATOR";
    constexpr long room_enough = 1024; // 32 chunks
    static bool ours = false;          // runtimes follow each other in a process, and limits may change between them
    const long least = least_limit();
    if (least > 0 && least < room_enough) {
        if (std::getenv(name)) return;
        setenv(name, "0", 0);
        ours = true;
    } else if (ours) {
        unsetenv(name);
        ours = false;
    }
}

void make_first_chunk() noexcept
{
    constexpr std::size_t little = 4096;
    const std::uintptr_t some = starpu_malloc_on_node(STARPU_MAIN_RAM, little);
    if (some) starpu_free_on_node(STARPU_MAIN_RAM, some, little); // the chunk stays
}

} // namespace skelrt::detail
