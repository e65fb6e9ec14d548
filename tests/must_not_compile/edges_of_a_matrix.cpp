// SPDX-License-Identifier: BSD-3-Clause
// must say: sk::edges takes two vectors
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::matrix<int>& m, const sk::vector<int>& v)
{
    m = sk::wavefront(SKELRT_FN((sk::before2<int> d) { return d.left(); }))(sk::edges(m, v, 0));
}
