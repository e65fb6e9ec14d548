// SPDX-License-Identifier: BSD-3-Clause
// must say: elements are read and written through a host view
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

float f(const sk::matrix<float>& m)
{
    float s = 0;
    for (float v : m) s += v;
    return s;
}
