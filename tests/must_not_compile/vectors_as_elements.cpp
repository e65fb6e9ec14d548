// SPDX-License-Identifier: BSD-3-Clause
// must say: the elements of a container are trivially copyable, and no pointers
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;
#include <vector>

sk::vector<std::vector<float>> f() { return sk::vector<std::vector<float>>(10); }
