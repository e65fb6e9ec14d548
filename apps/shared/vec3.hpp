// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/function.hpp>

namespace apps
{

// What the devices see.
// clang-format off
SKELRT_SHARED(
    struct vec3 { float x, y, z; };
    inline vec3 plus(vec3 a, vec3 b, float times) { return vec3{a.x + times * b.x, a.y + times * b.y, a.z + times * b.z}; }
    inline float square_of(vec3 a) { return a.x * a.x + a.y * a.y + a.z * a.z; }
)
// clang-format on

} // namespace apps
