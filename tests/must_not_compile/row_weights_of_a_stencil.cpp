// SPDX-License-Identifier: BSD-3-Clause
// must say: a stencil takes no sk::per_row and sk::per_column
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::matrix<int>& m, const sk::vector<int>& w)
{
    const auto weighted =
        sk::stencil(SKELRT_FN((sk::hood2<int> u, int w) { return w * u(0, 1); }), sk::border::cyclic());
    m = weighted(m, sk::per_row(w));
}
