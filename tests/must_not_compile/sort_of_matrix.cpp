// SPDX-License-Identifier: BSD-3-Clause
// must say: sk::sort takes a vector; pass m.row(i) or m.column(j)
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<int>& x, const sk::matrix<int>& m) { x = sk::sort(m); }
