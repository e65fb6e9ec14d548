// SPDX-License-Identifier: BSD-3-Clause
// must say: assignment of read-only location|cannot assign to return value
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(const sk::vector<int>& x) { sk::host(x)[0] = 1; }
