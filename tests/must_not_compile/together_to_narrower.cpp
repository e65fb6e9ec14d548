// SPDX-License-Identifier: BSD-3-Clause
// must say: a variable of sk::tie does not hold every result of its reduction
// at most: 12 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(const sk::vector<float>& x, float& a, float& b)
{
    sk::tie(a, b) = sk::together(sk::reduce(sk::plus, 0.0), sk::reduce(sk::minimum))(x);
}
