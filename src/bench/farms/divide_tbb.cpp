// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/farms/divide_rivals.hpp"

#if SKELRT_BENCH_TBB
#include <tbb/global_control.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <execution>
#endif

#include <stdexcept>

namespace bench
{

#if SKELRT_BENCH_TBB

bool has_tbb() { return true; }

void limit_tbb(unsigned threads)
{
    static const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
}

std::int64_t tbb_fib(int n)
{
    if (n < 2) return n;
    std::int64_t left = 0;
    tbb::task_group g;
    g.run([&] { left = tbb_fib(n - 1); });
    const std::int64_t right = tbb_fib(n - 2);
    g.wait();
    return left + right;
}

void tbb_sort(std::span<int> x) { tbb::parallel_sort(x.begin(), x.end()); }
void std_parallel_sort(std::span<int> x) { std::sort(std::execution::par, x.begin(), x.end()); }

#else

bool has_tbb() { return false; }
void limit_tbb(unsigned) {}
std::int64_t tbb_fib(int) { throw std::logic_error("divide: built without oneTBB"); }
void tbb_sort(std::span<int>) { throw std::logic_error("divide: built without oneTBB"); }
void std_parallel_sort(std::span<int>) { throw std::logic_error("divide: built without oneTBB"); }

#endif

} // namespace bench
