// SPDX-License-Identifier: BSD-3-Clause
#include "../names.hpp"

SKELRT_SHARED(constexpr float unit_scale = 5;)

SKELRT_SHARED(inline float unit_scaled(float x) { return x * unit_scale; })

namespace
{
SKELRT_SHARED(struct unit_pair { float a, b[2]; };)
} // namespace

sk::vector<float> scaled_by_two(const sk::vector<float>& x)
{
    const auto f = sk::map(SKELRT_FN((float v) { return unit_scaled(v) + unit_scale; }));
    const auto in = sk::map(SKELRT_FN((float v) { return unit_pair{names_twice(v), {v}}; }));
    const auto out = sk::map(SKELRT_FN((unit_pair p) { return p.a + p.b[0]; }));
    const sk::vector<unit_pair> pairs = in(f(x));
    return out(pairs);
}
