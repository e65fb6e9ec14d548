// SPDX-License-Identifier: BSD-3-Clause
// must say: reductions of one pass all go to one value, or all by row, or all by column
// at most: 10 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(const sk::matrix<int>& m, int& a, int& b)
{
    const auto sum = sk::reduce(sk::plus);
    sk::tie(a, b) = sk::together(sum(m), sum.by_row(m));
}
