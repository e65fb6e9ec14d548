// SPDX-License-Identifier: BSD-3-Clause
// must say: no matching function for call to
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(const sk::vector<int>& x)
{
    sk::task([](std::span<int>) {}, sk::out(x));
}
