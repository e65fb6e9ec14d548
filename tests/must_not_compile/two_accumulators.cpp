// SPDX-License-Identifier: BSD-3-Clause
// must say: has exactly one sk::accumulator parameter
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(const sk::vector<int>& x, sk::vector<int>& a, sk::vector<int>& b)
{
    sk::for_each(SKELRT_FN((int v, sk::accumulator<int> p, sk::accumulator<int> q) { p.add(0, v), q.add(0, v); }))(x, a,
                                                                                                                   b);
}
