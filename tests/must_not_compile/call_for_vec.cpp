// SPDX-License-Identifier: BSD-3-Clause
// must say: an sk::vec, sk::mat or sk::accumulator parameter takes a container
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<float>& y, const sk::vector<float>& x)
{
    const auto doubled = sk::map(SKELRT_FN((float a) { return 2 * a; }));
    const auto first = sk::map(SKELRT_FN((float a, sk::vec<float> all) { return a + all[0]; }));
    y = first(x, doubled(x));
}
