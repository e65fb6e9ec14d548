// SPDX-License-Identifier: BSD-3-Clause
// must say: the rows of a matrix as operands of pairs need an sk::vec<T> parameter
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::matrix<int>& m, const sk::vector<int>& x)
{
    m = sk::map_pairs(SKELRT_FN((int a, int b) { return a * b; }))(m, x);
}
