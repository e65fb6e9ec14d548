// SPDX-License-Identifier: BSD-3-Clause
// must say: a hood parameter takes a container, a view or a map call
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::matrix<int>& m)
{
    m = sk::stencil(SKELRT_FN((sk::hood2<int> u) { return u(0, 1); }), sk::border::cyclic())(3);
}
