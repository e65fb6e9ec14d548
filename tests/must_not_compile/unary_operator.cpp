// SPDX-License-Identifier: BSD-3-Clause
// must say: the operator of a reduction takes two values of the reduced type
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

int f(const sk::vector<int>& x)
{
    return sk::reduce(SKELRT_FN((int a) { return a; }))(x);
}
