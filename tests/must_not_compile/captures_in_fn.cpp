// SPDX-License-Identifier: BSD-3-Clause
// must say: SKELRT_FN captures nothing: write SKELRT_FN_WITH((a, b), (float x) { ... }) for values from around it
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<int>& y, const sk::vector<int>& x, int factor)
{
    y = sk::map(SKELRT_FN([factor](int a) { return factor * a; }))(x);
}
