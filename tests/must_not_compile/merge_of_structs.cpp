// SPDX-License-Identifier: BSD-3-Clause
// must say: the comparator of merges, sets and searches is a function (T, T) -> bool; without one they take numbers
#include <skelrt/skelrt.hpp>

#include <skelrt/algorithms.hpp>
namespace sk = skelrt;

struct pair {
    int a, b;
};

void f(const sk::vector<pair>& x) { sk::vector<pair> y = sk::set_union(x, x); }
