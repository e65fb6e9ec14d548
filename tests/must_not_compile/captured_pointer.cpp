// SPDX-License-Identifier: BSD-3-Clause
// must say: SKELRT_FN_WITH takes no pointers
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<int>& y, const sk::vector<int>& x, const int* factor)
{
    y = sk::map(SKELRT_FN_WITH((factor), (int a) { return *factor * a; }))(x);
}
