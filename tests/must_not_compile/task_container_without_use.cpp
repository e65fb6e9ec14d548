// SPDX-License-Identifier: BSD-3-Clause
// must say: a task is told what it does with a container: sk::in(x), sk::out(x)
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<int>& x)
{
    sk::task([](std::span<int>) {}, x);
}
