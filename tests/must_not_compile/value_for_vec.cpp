// SPDX-License-Identifier: BSD-3-Clause
// must say: an sk::vec, sk::mat or sk::accumulator parameter takes a container
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<int>& y)
{
    y = sk::map(SKELRT_FN((sk::index1 i, sk::vec<int> x) { return x[i.i]; }))(3);
}
