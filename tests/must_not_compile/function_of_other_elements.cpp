// SPDX-License-Identifier: BSD-3-Clause
// must say: the user function cannot be called with the elements
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

struct pair {
    int a, b;
};

void f(sk::vector<float>& y, const sk::vector<pair>& x)
{
    y = sk::map(SKELRT_FN((float a) { return 2 * a; }))(x);
}
