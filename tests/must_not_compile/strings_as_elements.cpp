// SPDX-License-Identifier: BSD-3-Clause
// must say: the elements of a container are trivially copyable, and no pointers
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;
#include <string>

std::size_t f()
{
    sk::vector<std::string> names(10);
    return names.size();
}
