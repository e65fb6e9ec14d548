// SPDX-License-Identifier: BSD-3-Clause
// must say: a user function is made by SKELRT_FN
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::matrix<float>& u)
{
    const auto heat = sk::stencil([](sk::hood2<float> u) { return u(0, 1); }, sk::border::cyclic());
    u = heat.iterate(10, u);
}
