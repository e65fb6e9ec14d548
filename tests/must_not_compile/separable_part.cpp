// SPDX-License-Identifier: BSD-3-Clause
// must say: make the first pass on a larger part
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::matrix<int>& m)
{
    const auto shift = sk::stencil(SKELRT_FN((sk::hood1<int> u) { return u(1); }), sk::border::cyclic());
    m.sub(1, 1, 8, 8) = shift.separable(sk::with_neighbours(m.sub(1, 1, 8, 8)));
}
