// SPDX-License-Identifier: BSD-3-Clause
// must say: a stencil's function has an sk::hood1, sk::hood2 or sk::hood3 parameter
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::matrix<int>& m)
{
    m = sk::stencil(SKELRT_FN((int a) { return a; }), sk::border::cyclic())(m);
}
