// SPDX-License-Identifier: BSD-3-Clause
// must say: assignment of read-only location|cannot assign to return value
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<int>& y, const sk::vector<int>& x)
{
    y = sk::map(SKELRT_FN((sk::index1 i, sk::vec<int> v) { return v[i.i] = 1; }))(x);
}
