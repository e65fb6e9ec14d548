// SPDX-License-Identifier: BSD-3-Clause
#include "schedulers/transfers.hpp"

#include "schedulers/choose.hpp"

#include <starpu_profiling.h>

#include <algorithm>

namespace skelrt::schedulers
{

namespace
{

bool is_valid(starpu_data_handle_t data, unsigned node)
{
    int valid = 0;
    starpu_data_query_status2(data, static_cast<int>(node), nullptr, &valid, nullptr, nullptr);
    return valid != 0;
}

/// Where the data would come from: main memory if it is there.
unsigned source_of(starpu_data_handle_t data)
{
    for (unsigned n = 0; n < starpu_memory_nodes_get_count(); ++n)
        if (is_valid(data, n)) return n;
    return STARPU_MAIN_RAM;
}

/// Calls visit(data) for what the task reads and the node does not have; stops when that says true.
template <class Visit>
bool any_missing(const starpu_task& task, unsigned node, Visit visit)
{
    const unsigned n = STARPU_TASK_GET_NBUFFERS(&task);
    for (unsigned i = 0; i < n; ++i) {
        starpu_data_handle_t data = STARPU_TASK_GET_HANDLE(&task, i);
        if (!(STARPU_TASK_GET_MODE(&task, i) & STARPU_R) || is_valid(data, node)) continue;
        if (visit(data)) return true;
    }
    return false;
}

} // namespace

bool transfers::missing(const starpu_task& task, unsigned node)
{
    return any_missing(task, node, [](starpu_data_handle_t) { return true; });
}

double transfers::expected_us(const starpu_task& task, int worker) const
{
    const unsigned node = starpu_worker_get_memory_node(static_cast<unsigned>(worker));
    double us = 0;
    any_missing(task, node, [&](starpu_data_handle_t data) {
        const unsigned from = source_of(data);
        const double rate = starpu_transfer_bandwidth(from, node); // MB/s are bytes per microsecond
        // What nobody has measured (PoCL) counts as a slow link, not as a free one.
        us += shared_transfer_us(static_cast<double>(starpu_data_get_size(data)), rate > 0 ? rate : 1e3,
                                 std::max(0.0, starpu_transfer_latency(from, node)), users(from, node));
        return false;
    });
    return us;
}

/// Copies to the same node share its link, and those to other nodes as far as they hang on the same bus.
unsigned transfers::users(unsigned from, unsigned to) const
{
    int others = 0;
    for (unsigned n = 0; n < starpu_memory_nodes_get_count(); ++n)
        if (n != to && under_way_[n].load(std::memory_order_relaxed) > 0) ++others;
    const int bus = starpu_bus_get_id(static_cast<int>(from), static_cast<int>(to));
    const int neighbours = bus >= 0 ? std::max(starpu_bus_get_ngpus(bus) - 1, 0) : 0;
    const int here = std::max(under_way_[to].load(std::memory_order_relaxed), 0);
    return static_cast<unsigned>(1 + here + std::min(others, neighbours));
}

} // namespace skelrt::schedulers
