// SPDX-License-Identifier: BSD-3-Clause
// must say: an sk::accumulator parameter takes a container that is not const
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(const sk::vector<int>& x, const sk::vector<int>& a)
{
    sk::for_each(SKELRT_FN((int v, sk::accumulator<int> p) { p.add(0, v); }))(x, a);
}
