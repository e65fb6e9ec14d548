// SPDX-License-Identifier: BSD-3-Clause
// must say: a function with an sk::accumulator parameter belongs to sk::for_each
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<int>& x, sk::vector<int>& a)
{
    x = sk::map(SKELRT_FN((int v, sk::accumulator<int> p) {
        p.add(0, v);
        return v;
    }))(x, a);
}
