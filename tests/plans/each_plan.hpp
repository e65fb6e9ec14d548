// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "with_opencl.hpp"

#include <skelrt/plan.hpp>

#include <catch2/catch.hpp>

inline const skelrt::plan on_cpu({{skelrt::device::cpu, 1, 0, 1}}), on_gpu({{skelrt::device::opencl}}),
    split({{skelrt::device::opencl, 0.3}, {skelrt::device::cpu, 0.7}});

/// `run` under each plan, freshly made data each time: one task on the CPU, none there but on OpenCL, and split, so
/// many on both. `adding`: tasks on the cores that add up what others have found; a GPU alone adds to the container.
template <class Run>
void check_each(const Run& run, counts both, unsigned long adding = 0)
{
    tasks();
    run(on_cpu);
    CHECK(tasks() == counts{1 + adding, 0});
    run(on_gpu);
    const counts there = tasks();
    CHECK(there.cpu == 0);
    CHECK(there.opencl > 0);
    run(split);
    CHECK(tasks() == counts{both.cpu + adding, both.opencl});
}
