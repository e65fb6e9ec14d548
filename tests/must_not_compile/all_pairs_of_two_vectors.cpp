// SPDX-License-Identifier: BSD-3-Clause
// must say: sk::all_pairs takes a matrix and a vector, or two matrices; two vectors give one value
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<int>& y, const sk::vector<int>& x) { y = sk::all_pairs(sk::multiplies, sk::plus)(x, x); }
