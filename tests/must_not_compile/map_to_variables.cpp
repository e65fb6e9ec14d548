// SPDX-License-Identifier: BSD-3-Clause
// must say: what is assigned to an sk::tie of scalars and plain variables is an sk::together of reductions
// at most: 10 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(const sk::vector<int>& x, int& a, int& b) { sk::tie(a, b) = x + x; }
