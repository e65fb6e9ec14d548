// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include <cstddef>

/// Bytes that went to and from a memory node.
struct traffic {
    std::size_t to = 0, from = 0;
};

/// Of the memory of the first worker of a kind, since anybody asked last; STARPU_PROFILING=1 makes StarPU count.
inline traffic copied(starpu_worker_archtype kind)
{
    const auto worker = static_cast<unsigned>(starpu_worker_get_by_type(kind, 0));
    const int node = static_cast<int>(starpu_worker_get_memory_node(worker));
    traffic all;
    for (int bus = 0; bus < starpu_bus_get_count(); ++bus) {
        starpu_profiling_bus_info info{};
        starpu_bus_get_profiling_info(bus, &info); // begins at zero again
        const auto bytes = static_cast<std::size_t>(info.transferred_bytes);
        if (starpu_bus_get_dst(bus) == node) all.to += bytes;
        if (starpu_bus_get_src(bus) == node) all.from += bytes;
    }
    return all;
}
