// SPDX-License-Identifier: BSD-3-Clause
// must say: sk::all_pairs takes two matrices; sk::map_pairs takes vectors
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::matrix<int>& m, const sk::vector<int>& x)
{
    m = sk::all_pairs(SKELRT_FN((sk::vec<int> a, sk::vec<int> b) { return a[0] * b[0]; }))(x, x);
}
