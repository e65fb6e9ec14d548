// SPDX-License-Identifier: BSD-3-Clause
// must say: a container of sk::tie has another element type than the member of the struct
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

SKELRT_SHARED(struct both {
    int a;
    float b;
};)

void f(const sk::vector<int>& x, sk::vector<int>& a, sk::vector<int>& b)
{
    sk::tie(a, b) = sk::map(SKELRT_FN((int v) {
        both r;
        r.a = v, r.b = v;
        return r;
    }))(x);
}
