// SPDX-License-Identifier: BSD-3-Clause
// must say: a matrix takes no vector
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::matrix<float>& m, const sk::vector<float>& x) { m = x; }
