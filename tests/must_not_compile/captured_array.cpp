// SPDX-License-Identifier: BSD-3-Clause
// must say: SKELRT_FN_WITH takes no arrays
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<int>& y, const sk::vector<int>& x)
{
    const int factors[2] = {1, 2};
    y = sk::map(SKELRT_FN_WITH((factors), (int a) { return factors[0] * a; }))(x);
}
