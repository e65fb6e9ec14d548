// SPDX-License-Identifier: BSD-3-Clause
// must say: is not captured|cannot be implicitly captured
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<int>& y, const sk::vector<int>& x, int factor)
{
    y = sk::map(SKELRT_FN((int a) { return factor * a; }))(x);
}
