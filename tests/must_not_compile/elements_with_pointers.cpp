// SPDX-License-Identifier: BSD-3-Clause
// must say: the elements of a container are trivially copyable, and no pointers
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

#include <string>

sk::vector<std::string> words;
