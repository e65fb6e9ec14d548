// SPDX-License-Identifier: BSD-3-Clause
// must say: a function of sk::for_each returns nothing
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(const sk::vector<int>& x, sk::vector<int>& to)
{
    sk::for_each(SKELRT_FN((int v, sk::accumulator<int> a) {
        a.add(0, v);
        return v;
    }))(x, to);
}
