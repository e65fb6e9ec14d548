// SPDX-License-Identifier: BSD-3-Clause
// must say: a user function takes no pointers
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<float>& x)
{
    const auto first = sk::map(SKELRT_FN((float a, const float* all) { return a + all[0]; }));
    x = first(x, x);
}
