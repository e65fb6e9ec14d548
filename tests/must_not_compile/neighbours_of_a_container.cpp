// SPDX-License-Identifier: BSD-3-Clause
// must say: with_neighbours takes a view
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::matrix<int>& m)
{
    const auto shift = sk::stencil(SKELRT_FN((sk::hood2<int> u) { return u(0, 1); }), sk::border::cyclic());
    m = shift(sk::with_neighbours(m));
}
