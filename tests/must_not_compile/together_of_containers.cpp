// SPDX-License-Identifier: BSD-3-Clause
// must say: sk::together takes reductions: objects of sk::reduce, or calls of such
// at most: 10 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(const sk::vector<int>& x, int& a, int& b) { sk::tie(a, b) = sk::together(x, sk::reduce(sk::plus)(x)); }
