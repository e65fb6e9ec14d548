// SPDX-License-Identifier: BSD-3-Clause
// must say: an sk::mat<T> parameter takes an sk::matrix<T> of the same T
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<int>& y, const sk::matrix<float>& x)
{
    y = sk::map(SKELRT_FN((sk::index1 i, sk::mat<int> m) { return m(0, i.i); }))(x);
}
