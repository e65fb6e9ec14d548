// SPDX-License-Identifier: BSD-3-Clause
// must say: the operator's result type does not hold every start value of this type
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

float f(const sk::vector<float>& x)
{
    return sk::reduce(SKELRT_FN((float a, float b) { return a + b; }), 0.0)(x);
}
