// SPDX-License-Identifier: BSD-3-Clause
// must say: a wavefront's function returns what it sees: (sk::before2<T>, ...) -> T
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::matrix<float>& m)
{
    m = sk::wavefront(SKELRT_FN((sk::before2<int> d, int a) { return 0.5f * d.left() + a; }),
                      sk::border::constant(0))(m);
}
