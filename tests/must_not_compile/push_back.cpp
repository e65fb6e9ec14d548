// SPDX-License-Identifier: BSD-3-Clause
// must say: size copies all of it; push_back to a std::vector
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<float>& x) { x.push_back(1.0f); }
