// SPDX-License-Identifier: BSD-3-Clause
// must say: sk::transpose takes a matrix
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::matrix<int>& m, const sk::vector<int>& x) { m = sk::transpose(x); }
