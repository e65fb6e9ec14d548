// SPDX-License-Identifier: BSD-3-Clause
// must say: the operator of a scan is associative: (T, T) -> T
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

struct pair {
    int a, b;
};

void f(sk::vector<int>& x)
{
    x = sk::scan(SKELRT_FN((int a, int b) { return pair{a, b}; }))(x);
}
