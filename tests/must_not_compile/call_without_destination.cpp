// SPDX-License-Identifier: BSD-3-Clause
// must say: skelrt: a call is computed when it is assigned
// at most: 16 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;
#pragma GCC diagnostic error "-Wunused-result"

void f(const sk::vector<float>& x, const sk::vector<float>& y)
{
    const auto add = sk::map(sk::plus);
    add(x, y);
}
