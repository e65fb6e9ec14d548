// SPDX-License-Identifier: BSD-3-Clause
// must say: sk::tie takes as many results as sk::together has reductions
// at most: 10 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(const sk::vector<int>& x, int& a, int& b)
{
    const auto sum = sk::reduce(sk::plus);
    sk::tie(a, b) = sk::together(sum, sum, sum)(x);
}
