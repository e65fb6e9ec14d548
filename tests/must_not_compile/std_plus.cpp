// SPDX-License-Identifier: BSD-3-Clause
// must say: a user function is made by SKELRT_FN
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;
#include <functional>

float f(const sk::vector<float>& x) { return sk::reduce(std::plus<float>{}, 0.0f)(x); }
