// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

/// What others do with the same problems.
namespace bench
{

/// Whether the program was built with oneTBB; else nothing of what follows may be called.
bool has_tbb();
/// oneTBB's threads from now on, with the caller's.
void limit_tbb(unsigned threads);

/// By tbb::task_group, a task for each left branch.
std::int64_t tbb_fib(int n);
void tbb_sort(std::span<int> x);
/// std::sort with the parallel policy, which libstdc++ has of oneTBB.
void std_parallel_sort(std::span<int> x);

} // namespace bench
