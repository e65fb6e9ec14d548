// SPDX-License-Identifier: BSD-3-Clause
// must say: the comparator of merges, sets and searches has no values of its own
#include <skelrt/skelrt.hpp>

#include <skelrt/algorithms.hpp>
namespace sk = skelrt;

void f(const sk::vector<int>& x, int k)
{
    sk::merge(x, x, SKELRT_FN_WITH((k), (int a, int b) { return a % k < b % k; }));
}
