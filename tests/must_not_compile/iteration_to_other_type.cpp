// SPDX-License-Identifier: BSD-3-Clause
// must say: an iterated function returns an element of its first hood
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::matrix<float>& m, const sk::matrix<int>& k)
{
    m = sk::stencil(SKELRT_FN((sk::hood2<int> u) { return 0.5f * u(0, 1); }), sk::border::cyclic()).iterate(2, k);
}
