// SPDX-License-Identifier: BSD-3-Clause
// must say: a container is not assigned from a standard one
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;
#include <vector>

void f(sk::vector<float>& x, const std::vector<float>& v) { x = v; }
