// SPDX-License-Identifier: BSD-3-Clause
// must say: skelrt: a host view is open while it lives
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;
#pragma GCC diagnostic error "-Wunused-result"

void f(sk::vector<float>& x) { sk::host(x); }
