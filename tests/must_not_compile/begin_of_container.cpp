// SPDX-License-Identifier: BSD-3-Clause
// must say: elements are read and written through a host view
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;
#include <numeric>

float f(const sk::vector<float>& x) { return std::accumulate(x.begin(), x.end(), 0.0f); }
