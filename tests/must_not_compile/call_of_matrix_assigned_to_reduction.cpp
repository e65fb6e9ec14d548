// SPDX-License-Identifier: BSD-3-Clause
// must say: a reduction by row or by column gives a vector
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::matrix<float>& m) { m = sk::reduce(sk::plus, 0.0f).by_row(m); }
