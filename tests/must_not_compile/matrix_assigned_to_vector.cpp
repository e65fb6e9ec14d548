// SPDX-License-Identifier: BSD-3-Clause
// must say: a vector takes no matrix
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<float>& x, const sk::matrix<float>& m) { x = m; }
