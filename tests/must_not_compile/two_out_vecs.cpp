// SPDX-License-Identifier: BSD-3-Clause
// must say: is the only parameter of its function that changes a container
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(const sk::vector<int>& x, sk::vector<int>& a, sk::vector<int>& b)
{
    sk::for_each(SKELRT_FN((int v, sk::out_vec<int> p, sk::accumulator<int> q) { p.set(v, v), q.add(0, v); }))(x, a, b);
}
