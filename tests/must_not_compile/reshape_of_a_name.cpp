// SPDX-License-Identifier: BSD-3-Clause
// must say: sk::reshape takes a container along
// at most: 25 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

sk::matrix<float> f(sk::vector<float>& x) { return sk::reshape(x, 2, 3); }
