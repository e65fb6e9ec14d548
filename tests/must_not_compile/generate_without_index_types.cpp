// SPDX-License-Identifier: BSD-3-Clause
// must say: sk::generate needs a function whose parameters have types
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<int>& x)
{
    x = sk::generate(SKELRT_FN((auto i) { return int(i.i); }))(sk::shape(5));
}
