// SPDX-License-Identifier: BSD-3-Clause
// must say: a vector gets elements of its own type
// at most: 40 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<float>& x, const sk::vector<double>& y) { x.append(y); }
