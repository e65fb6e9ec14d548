// SPDX-License-Identifier: BSD-3-Clause
// must say: a container is not assigned from a standard one
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;
#include <vector>

sk::vector<float> f(const std::vector<float>& v)
{
    sk::vector<float> x = v;
    return x;
}
