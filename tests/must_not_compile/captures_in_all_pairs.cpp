// SPDX-License-Identifier: BSD-3-Clause
// must say: the functions of sk::all_pairs(zip, op) have no values of their own
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

sk::matrix<int> f(const sk::matrix<int>& x, int k)
{
    return sk::all_pairs(SKELRT_FN_WITH((k), (int a, int b) { return k * a * b; }), sk::plus, 0)(x, x);
}
