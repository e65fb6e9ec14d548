// SPDX-License-Identifier: BSD-3-Clause
// must say: sk::tie takes containers, not views
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

SKELRT_SHARED(struct both { int a, b; };)

void f(const sk::vector<int>& x, sk::vector<int>& a, sk::vector<int>& b)
{
    auto part = a.range(0, 5);
    sk::tie(part, b) = sk::map(SKELRT_FN((int v) {
        both r;
        r.a = v, r.b = v;
        return r;
    }))(x);
}
