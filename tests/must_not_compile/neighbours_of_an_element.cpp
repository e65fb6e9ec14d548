// SPDX-License-Identifier: BSD-3-Clause
// must say: sk::with_neighbours is for hoods
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::matrix<int>& m)
{
    const auto shift = sk::stencil(SKELRT_FN((sk::hood2<int> u, int e) { return u(0, 1) + e; }), sk::border::cyclic());
    m.sub(1, 1, 8, 8) = shift(sk::with_neighbours(m.sub(1, 1, 8, 8)), sk::with_neighbours(m.sub(1, 1, 8, 8)));
}
