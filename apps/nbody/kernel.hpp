// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/vec3.hpp"

#include <skelrt/skelrt.hpp>

#include <cstddef>

namespace nbody
{

// What the devices see. Units in which the constant of gravity is 1.
// clang-format off
SKELRT_SHARED(
    using apps::vec3;
    struct body { float x, y, z, mass; };
    struct star { body where; vec3 speed; };
)
// clang-format on

/// Bodies that attract each other, summed over all pairs, each pair softened by a length: a / (r^2 + s^2)^1.5.
class cluster
{
public:
    /// Two Plummer spheres of n / 2 bodies each on their way to each other; total mass 1.
    cluster(std::size_t n, float softening);
    /// Leapfrog: half a kick, a drift, half a kick. Asynchronous; nothing waits for the host.
    void steps(std::size_t n, float dt);
    /// Kinetic and potential energy. Waits for the value.
    double energy() const;
    const skelrt::vector<body>& bodies() const { return bodies_; }
    const skelrt::vector<vec3>& speeds() const { return speeds_; }

private:
    skelrt::vector<body> bodies_;
    skelrt::vector<vec3> speeds_, pulls_;
    float soft2_;
};

} // namespace nbody
