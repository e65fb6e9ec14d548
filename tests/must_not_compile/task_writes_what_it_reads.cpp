// SPDX-License-Identifier: BSD-3-Clause
// must say: the function does not take these operands: it takes each part as std::span<T>
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<int>& x)
{
    sk::task([](std::span<int>) {}, sk::in(x));
}
