// SPDX-License-Identifier: BSD-3-Clause
// must say: files hold containers of numbers
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

struct pair {
    int a, b;
};

void f(const sk::vector<pair>& x) { sk::write(x, "x.npy"); }
