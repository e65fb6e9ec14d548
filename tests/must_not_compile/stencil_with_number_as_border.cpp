// SPDX-License-Identifier: BSD-3-Clause
// must say: a stencil takes a border
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<float>& x)
{
    const auto mean = sk::stencil(SKELRT_FN((sk::hood1<float> u) { return 0.5f * (u(-1) + u(1)); }), 0.0f);
    x = mean(x);
}
