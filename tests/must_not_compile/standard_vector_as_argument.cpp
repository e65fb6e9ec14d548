// SPDX-License-Identifier: BSD-3-Clause
// must say: an argument is a container, a view, a call, or a trivially copyable value
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;
#include <vector>

void f(sk::vector<float>& x, const std::vector<float>& v)
{
    x = sk::map(SKELRT_FN((float a, float b) { return a + b; }))(x, v);
}
