// SPDX-License-Identifier: BSD-3-Clause
// must say: this compound assignment would narrow its result to the container's element type
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<float>& y, const sk::vector<float>& x) { y += 2.0 * x; }
