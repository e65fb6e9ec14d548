// SPDX-License-Identifier: BSD-3-Clause
// must say: the comparator of a sort has no values of its own
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(const sk::vector<int>& x, int k)
{
    sk::sort(x, SKELRT_FN_WITH((k), (int a, int b) { return a % k < b % k; }));
}
