// SPDX-License-Identifier: BSD-3-Clause
// must say: a wavefront without a border takes sk::edges(above, left, corner) first
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::matrix<int>& m)
{
    m = sk::wavefront(SKELRT_FN((sk::before2<int> d, int a) { return d.left() + a; }))(m);
}
