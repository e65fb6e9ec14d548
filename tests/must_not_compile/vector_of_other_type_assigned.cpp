// SPDX-License-Identifier: BSD-3-Clause
// must say: elements of another type are converted by a map
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<float>& x, const sk::vector<double>& y) { x = y; }
