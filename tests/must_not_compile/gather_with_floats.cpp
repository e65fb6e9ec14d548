// SPDX-License-Identifier: BSD-3-Clause
// must say: sk::gather takes whole numbers as indices
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<int>& x, const sk::vector<float>& i) { x = sk::gather(x, i); }
