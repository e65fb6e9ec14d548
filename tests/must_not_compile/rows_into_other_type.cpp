// SPDX-License-Identifier: BSD-3-Clause
// must say: the vector's element type is not the reduction's result type
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<float>& y, const sk::matrix<int>& m) { y = sk::reduce(sk::plus, 0).by_row(m); }
