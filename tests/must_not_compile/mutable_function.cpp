// SPDX-License-Identifier: BSD-3-Clause
// must say: a user function is not mutable
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<float>& x)
{
    x = sk::map(SKELRT_FN((float a) mutable { return a; }))(x);
}
