// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

/// How many tasks the workers of a kind have run, since this runtime began to be profiled.
inline unsigned long tasks_run(starpu_worker_archtype kind)
{
    unsigned long n = 0;
    for (unsigned w = 0; w < starpu_worker_get_count(); ++w) {
        if (starpu_worker_get_type(static_cast<int>(w)) != kind) continue;
        starpu_profiling_worker_info info{};
        if (starpu_profiling_worker_get_info(static_cast<int>(w), &info) == 0)
            n += static_cast<unsigned long>(info.executed_tasks);
    }
    return n;
}
