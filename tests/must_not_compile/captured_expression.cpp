// SPDX-License-Identifier: BSD-3-Clause
// must say: SKELRT_FN_WITH takes names of variables; for n = ..., define n in front of it
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<int>& y, const sk::vector<int>& x, int a)
{
    y = sk::map(SKELRT_FN_WITH((a, n = 2 * a), (int v) { return a * v + n; }))(x);
}
