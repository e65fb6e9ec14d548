// SPDX-License-Identifier: BSD-3-Clause
// must say: a host view needs a container
// at most: 15 lines
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

float f(const sk::vector<float>& x)
{
    const auto doubled = sk::map(SKELRT_FN((float a) { return 2 * a; }));
    const auto h = sk::host(doubled(x));
    return h[0];
}
