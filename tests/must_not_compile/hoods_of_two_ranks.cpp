// SPDX-License-Identifier: BSD-3-Clause
// must say: all hoods of a stencil have one rank
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::matrix<int>& m, sk::vector<int>& x)
{
    m = sk::stencil(SKELRT_FN((sk::hood2<int> u, sk::hood1<int> v) { return u(0, 1) + v(1); }),
                    sk::border::cyclic())(m, x);
}
