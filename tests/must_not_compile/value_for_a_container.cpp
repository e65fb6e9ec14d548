// SPDX-License-Identifier: BSD-3-Clause
// must say: one value for all elements is sk::fill
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<float>& x) { x = 3.0f; }
