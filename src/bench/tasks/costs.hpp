// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/bench/shared/report.hpp"

#include <skelrt/runtime.hpp>

#include <cstddef>

namespace bench
{

struct task_options {
    std::size_t tasks = 100'000; ///< of a sample
    int repeat = 9;
};

/// Tasks without work and with some operands, against StarPU's.
void measure_empty_tasks(report& out, const task_options& o, skelrt::runtime& rt);
/// Tasks on parts of one vector, against those on vectors of their own.
void measure_parts(report& out, const task_options& o, skelrt::runtime& rt);
/// The smallest tasks of a stencil's graph that keep all cores half busy, against StarPU's and OpenMP's.
void measure_grain(report& out, const task_options& o, skelrt::runtime& rt);

} // namespace bench
