// SPDX-License-Identifier: BSD-3-Clause
// must say: sk::together takes two to six reductions
// at most: 10 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(const sk::vector<int>& x, int& a) { sk::tie(a) = sk::together(sk::reduce(sk::plus)(x)); }
