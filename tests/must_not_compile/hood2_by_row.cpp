// SPDX-License-Identifier: BSD-3-Clause
// must say: by_row and by_column are for functions with sk::hood1
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::matrix<int>& m)
{
    m = sk::stencil(SKELRT_FN((sk::hood2<int> u) { return u(0, 1); }), sk::border::cyclic()).by_row(m);
}
