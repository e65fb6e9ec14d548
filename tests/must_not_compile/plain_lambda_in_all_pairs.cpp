// SPDX-License-Identifier: BSD-3-Clause
// must say: a user function is made by SKELRT_FN
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::matrix<int>& m)
{
    m = sk::all_pairs([](int a, int b) { return a * b; }, sk::plus)(m, m);
}
