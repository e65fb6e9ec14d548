// SPDX-License-Identifier: BSD-3-Clause
// must say: sk::top_k takes numbers; others want a function (T, T) -> bool that says what comes first
// at most: 15 lines
#include <skelrt/algorithms.hpp>
namespace sk = skelrt;

struct offer {
    int price;
};

void f(sk::vector<offer>& best, const sk::vector<offer>& x) { best = sk::top_k(x, 3); }
