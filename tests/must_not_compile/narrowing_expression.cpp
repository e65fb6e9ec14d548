// SPDX-License-Identifier: BSD-3-Clause
// must say: the container's element type is not the user function's result type
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<float>& y, const sk::vector<float>& x) { y = 2.0 * x; }
