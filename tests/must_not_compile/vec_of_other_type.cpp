// SPDX-License-Identifier: BSD-3-Clause
// must say: an sk::vec<T> parameter takes an sk::vector<T> of the same T
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<int>& y, const sk::vector<float>& x)
{
    y = sk::map(SKELRT_FN((sk::index1 i, sk::vec<int> x) { return x[i.i]; }))(x);
}
