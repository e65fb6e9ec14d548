// SPDX-License-Identifier: BSD-3-Clause
// must say: the border's constant is no element of the hood
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

struct pair {
    int a, b;
};

void f(sk::matrix<int>& m)
{
    m = sk::stencil(SKELRT_FN((sk::hood2<int> u) { return u(0, 1); }), sk::border::constant(pair{1, 2}))(m);
}
