// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../tasks_run.hpp"
#include "run_cases.hpp"

#include <skelrt/runtime.hpp>

#include <cstdio>
#include <ostream>

/// Tasks on the cores and on OpenCL, whose device stands for a GPU.
struct counts {
    unsigned long cpu, opencl;
    friend bool operator==(const counts&, const counts&) = default;
    friend std::ostream& operator<<(std::ostream& to, const counts& c)
    {
        return to << c.cpu << " on cores, " << c.opencl << " on OpenCL";
    }
};

inline skelrt::runtime* the_runtime = nullptr;

/// Since it was asked last.
inline counts tasks()
{
    the_runtime->wait();
    return {tasks_run(STARPU_CPU_WORKER), tasks_run(STARPU_OPENCL_WORKER)};
}

/// The test cases in a runtime with OpenCL; 77 where there is none.
inline int run_with_opencl(int argc, char** argv, skelrt::options wanted)
{
    wanted.opencl_on_cpu = true;
    skelrt::runtime rt(wanted);
    the_runtime = &rt;
    bool opencl = false;
    for (const auto& d : rt.devices()) opencl = opencl || d.kind == skelrt::device::opencl;
    if (!opencl) {
        std::printf("skipped: no OpenCL device\n");
        return 77;
    }
    starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
    return test::run_cases(argc, argv);
}
