// SPDX-License-Identifier: BSD-3-Clause
// must say: the operator of a scan has no values of its own
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

sk::vector<int> f(const sk::vector<int>& x, int k)
{
    return sk::scan(SKELRT_FN_WITH((k), (int a, int b) { return a + b + k; }))(x);
}
