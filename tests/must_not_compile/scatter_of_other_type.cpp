// SPDX-License-Identifier: BSD-3-Clause
// must say: sk::scatter_add takes elements of the type of those that it adds to
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(const sk::vector<int>& x, const sk::vector<int>& i, sk::vector<float>& to) { sk::scatter_add(x, i, to); }
