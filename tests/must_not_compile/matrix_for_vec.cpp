// SPDX-License-Identifier: BSD-3-Clause
// must say: an sk::vec parameter takes a vector; pass m.row(i) for a row of a matrix
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<int>& y, const sk::matrix<int>& m)
{
    y = sk::map(SKELRT_FN((sk::index1 i, sk::vec<int> x) { return x[i.i]; }))(m);
}
