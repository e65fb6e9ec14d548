// SPDX-License-Identifier: BSD-3-Clause
// must say: sk::hood1 takes a vector (or by_row, by_column a matrix)
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::matrix<int>& m, const sk::vector<int>& x)
{
    m = sk::stencil(SKELRT_FN((sk::hood2<int> u) { return u(0, 1); }), sk::border::cyclic())(x);
}
