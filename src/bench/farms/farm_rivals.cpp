// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/farms/farm_rivals.hpp"
#include "src/bench/shared/timing.hpp"

#include <starpu.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

#if SKELRT_BENCH_TBB
#include <tbb/task_group.h>
#endif

namespace bench
{

double starpu_items_seconds(std::size_t items)
{
    static starpu_codelet item; // StarPU may look at it until its end
    starpu_codelet_init(&item);
    item.cpu_funcs[0] = [](void**, void* result) { *static_cast<std::uint32_t*>(result) = 1; };
    item.name = "empty item";
    std::vector<std::uint32_t> results(items);
    const double begin = now();
    for (std::uint32_t& r : results) {
        starpu_task* const task = starpu_task_create();
        task->cl = &item;
        task->cl_arg = &r;
        if (starpu_task_submit(task) != 0) throw std::runtime_error("raw StarPU: a task was refused");
    }
    starpu_task_wait_for_all();
    return now() - begin;
}

#if SKELRT_BENCH_TBB
double tbb_items_seconds(std::size_t items)
{
    std::vector<std::uint32_t> results(items);
    const double begin = now();
    tbb::task_group group;
    for (std::uint32_t& r : results) group.run([&r] { r = 1; });
    group.wait();
    return now() - begin;
}
#else
double tbb_items_seconds(std::size_t) { return -1; }
#endif

void plain_steps(float* x, std::size_t n, int steps)
{
    for (int k = 0; k < steps; ++k) {
#pragma omp simd
        for (std::size_t i = 0; i < n; ++i)
            for (int round = 0; round < 8; ++round) x[i] = x[i] * 0.999f + 0.001f;
        keep(x[0]); // steps are calls of their own
    }
}

void openmp_items(float* x, std::size_t items, std::size_t elements, int steps)
{
#pragma omp parallel for schedule(dynamic)
    for (std::size_t k = 0; k < items; ++k) plain_steps(x + k * elements, elements, steps);
}

} // namespace bench
