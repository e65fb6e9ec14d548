// SPDX-License-Identifier: BSD-3-Clause
// must say: reductions to one value go to sk::scalars or plain variables of an sk::tie, not to containers
// at most: 10 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(const sk::vector<int>& x, sk::vector<int>& a, sk::vector<int>& b)
{
    const auto sum = sk::reduce(sk::plus);
    sk::tie(a, b) = sk::together(sum, sum)(x);
}
