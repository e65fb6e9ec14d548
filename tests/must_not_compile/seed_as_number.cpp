// SPDX-License-Identifier: BSD-3-Clause
// must say: an sk::random parameter takes an sk::random_seed
#include <skelrt/skelrt.hpp>
namespace sk = skelrt;

void f(sk::vector<float>& x)
{
    x = sk::map(SKELRT_FN((float v, sk::random r) { return v + r.uniform(); }))(x, 42);
}
