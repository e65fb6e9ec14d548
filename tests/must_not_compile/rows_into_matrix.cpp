// SPDX-License-Identifier: BSD-3-Clause
// must say: a reduction by row or by column gives a vector
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::matrix<int>& m) { m = sk::reduce(sk::plus, 0).by_row(m); }
