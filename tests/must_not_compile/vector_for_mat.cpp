// SPDX-License-Identifier: BSD-3-Clause
// must say: an sk::mat parameter takes a matrix
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<int>& y, const sk::vector<int>& x)
{
    y = sk::map(SKELRT_FN((sk::index1 i, sk::mat<int> m) { return m(0, i.i); }))(x);
}
