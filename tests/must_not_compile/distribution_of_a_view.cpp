// SPDX-License-Identifier: BSD-3-Clause
// must say: sk::distribute takes a container, not a view
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<int>& x)
{
    auto part = x.range(0, 5);
    sk::distribute(part, sk::distribution::single());
}
