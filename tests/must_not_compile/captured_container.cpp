// SPDX-License-Identifier: BSD-3-Clause
// must say: SKELRT_FN_WITH takes trivially copyable values; pass containers and sk::scalar as arguments
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<int>& y, const sk::vector<int>& x)
{
    y = sk::map(SKELRT_FN_WITH((x), (sk::index1 i) { return x[i.i]; }))();
}
