// SPDX-License-Identifier: BSD-3-Clause
// must say: sk::sort without a comparator takes numbers; pass a function (T, T) -> bool
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

struct pair {
    int a, b;
};

void f(sk::vector<pair>& x) { x = sk::sort(x); }
