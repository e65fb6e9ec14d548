// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/bench/shared/report.hpp"

#include <string>

namespace bench
{

struct overhead_options {
    std::size_t n = 1000;         ///< elements of an inline call
    std::size_t tile = 16 * 1024; ///< elements of a tile of the task benchmark
    int repeat = 15;
    std::string compiler, include; ///< empty: $CXX or g++; the headers this program was built with
};

/// Small calls on the calling thread against plain loops.
void measure_inline(report& out, const overhead_options& o);
/// What the planner costs the calling thread.
void measure_plan(report& out, const overhead_options& o);
/// Tasks of one tile against raw StarPU code that does the same.
void measure_task(report& out, const overhead_options& o);
/// Time and memory of compiling a program with one map.
void measure_compile(report& out, const overhead_options& o);

} // namespace bench
