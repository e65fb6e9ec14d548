// SPDX-License-Identifier: BSD-3-Clause
// must say: a user function captures nothing; pass values as arguments instead
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<int>& y, const sk::vector<int>& x, int factor)
{
    const sk::function times([factor](int a) { return factor * a; }, "(int a) { return factor * a; }", __FILE__,
                             __LINE__);
    y = sk::map(times)(x);
}
