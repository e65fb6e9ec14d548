// SPDX-License-Identifier: BSD-3-Clause
// must say: an sk::hood<T> parameter takes elements of the same T
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::matrix<int>& m, const sk::matrix<float>& k)
{
    m = sk::stencil(SKELRT_FN((sk::hood2<int> u) { return u(0, 1); }), sk::border::cyclic())(k);
}
