// SPDX-License-Identifier: BSD-3-Clause
// must say: the grid of an iteration is a whole container
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::matrix<int>& m)
{
    const auto shift = sk::stencil(SKELRT_FN((sk::hood2<int> u) { return u(0, 1); }), sk::border::cyclic());
    m.sub(1, 1, 8, 8) = shift.iterate(3, sk::with_neighbours(m.sub(1, 1, 8, 8)));
}
