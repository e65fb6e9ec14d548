// SPDX-License-Identifier: BSD-3-Clause
// must say: a user function is made by SKELRT_FN
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(const sk::vector<int>& x, sk::vector<int>& h)
{
    sk::for_each([](int a, sk::accumulator<int> h) { h.add(a, 1); })(x, h);
}
