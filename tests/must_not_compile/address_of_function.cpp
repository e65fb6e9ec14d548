// SPDX-License-Identifier: BSD-3-Clause
// must say: a user function is made by SKELRT_FN
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

float doubled(float a) { return 2 * a; }

void f(sk::vector<float>& y, const sk::vector<float>& x) { y = sk::map(&doubled)(x); }
