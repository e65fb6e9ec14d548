// SPDX-License-Identifier: BSD-3-Clause
// must say: a user function takes its parameters by value
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<float>& x)
{
    const auto doubled = sk::map(SKELRT_FN((float& a) {
        a *= 2;
        return a;
    }));
    x = doubled(x);
}
