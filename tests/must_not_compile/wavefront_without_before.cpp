// SPDX-License-Identifier: BSD-3-Clause
// must say: the first parameter of a wavefront's function, behind an index, is sk::before2<T>
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::matrix<int>& m)
{
    m = sk::wavefront(SKELRT_FN((int a) { return a; }), sk::border::constant(0))(m);
}
