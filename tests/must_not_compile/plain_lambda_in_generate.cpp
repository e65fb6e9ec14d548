// SPDX-License-Identifier: BSD-3-Clause
// must say: a user function is made by SKELRT_FN
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<int>& y)
{
    y = sk::generate([](sk::index1 i) { return (int)i.i; })(sk::shape(10));
}
