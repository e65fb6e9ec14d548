// SPDX-License-Identifier: BSD-3-Clause
// must say: map is called with another number of arguments than its function has parameters
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<int>& x)
{
    x = sk::map(SKELRT_FN((sk::index1 i, int a) { return a + (int)i.i; }))(sk::index1{0}, x);
}
