// SPDX-License-Identifier: BSD-3-Clause
// must say: a wavefront takes sk::border::constant(value) behind its function, or no border
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::matrix<int>& m)
{
    m = sk::wavefront(SKELRT_FN((sk::before2<int> d, int a) { return d.left() + a; }), sk::border::nearest())(m);
}
