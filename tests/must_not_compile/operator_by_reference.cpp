// SPDX-License-Identifier: BSD-3-Clause
// must say: a user function takes its parameters by value
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

float f(const sk::vector<float>& x)
{
    return sk::reduce(SKELRT_FN((float& a, float b) { return a + b; }), 0.0f)(x);
}
