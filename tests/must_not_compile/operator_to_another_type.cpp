// SPDX-License-Identifier: BSD-3-Clause
// must say: the operator of a reduction is associative: (T, T) -> T
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

struct point {
    float x, y;
};

point f(const sk::vector<float>& x)
{
    return sk::reduce(SKELRT_FN((float a, float b) { return point{a, b}; }))(x).get();
}
