// SPDX-License-Identifier: BSD-3-Clause
// must say: a comparison of containers is a condition for each element; write sk::all(a == b)
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

int f(const sk::vector<int>& x, const sk::vector<int>& y)
{
    if (x == y) return 1;
    return 0;
}
