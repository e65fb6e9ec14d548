// SPDX-License-Identifier: BSD-3-Clause
// must say: a user function is made by SKELRT_FN
#include <skelrt/skelrt.hpp>

#include <skelrt/algorithms.hpp>
namespace sk = skelrt;

void f(const sk::vector<int>& x)
{
    sk::lower_bound(x, x, [](int a, int b) { return b < a; });
}
