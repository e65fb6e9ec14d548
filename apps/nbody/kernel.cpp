// SPDX-License-Identifier: BSD-3-Clause
// In a file of its own for -ffast-math, which lets gcc make vectors of sums and a fast instruction of 1 / sqrt.
#include "kernel.hpp"

#include <cmath>

namespace nbody
{
namespace
{

namespace sk = skelrt;

const auto pulls_of = sk::map_pairs_reduce(SKELRT_FN((body a, body b, float soft2) {
                                               float dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z;
                                               float near = 1.0f / std::sqrt(dx * dx + dy * dy + dz * dz + soft2);
                                               float weight = b.mass * near * near * near;
                                               return vec3{dx * weight, dy * weight, dz * weight};
                                           }),
                                           SKELRT_FN((vec3 a, vec3 b) { return plus(a, b, 1.0f); }), vec3{0, 0, 0});

const auto kick = sk::map(SKELRT_FN((vec3 v, vec3 a, float t) { return plus(v, a, t); }));

const auto kick_and_drift = sk::map(SKELRT_FN((body b, vec3 v, vec3 a, float dt) {
    vec3 next = plus(v, a, 0.5f * dt);
    return star{body{b.x + dt * next.x, b.y + dt * next.y, b.z + dt * next.z, b.mass}, next};
}));

// What else is asked.
const auto kinetic = sk::map(SKELRT_FN((body b, vec3 v) { return 0.5 * (double)b.mass * (double)square_of(v); }));
const auto potential = sk::map_pairs(SKELRT_FN((body a, body b, float soft2) {
    float dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z, r2 = dx * dx + dy * dy + dz * dz;
    if (r2 == 0.0f) return 0.0; // a body and itself
    return -0.5 * (double)(a.mass * b.mass / std::sqrt(r2 + soft2));
}));
const auto sum = sk::reduce(sk::plus, 0.0);

// The problem.
// Aarseth, Henon and Wielen, Astronomy and Astrophysics 37, 1974: a radius, two directions, and a speed by rejection.
const auto plummer = sk::generate(SKELRT_FN((sk::index1 at, sk::random r, unsigned n) {
    float radius = 1.0f / std::sqrt(std::pow(0.0005f + 0.95f * r.uniform(), -0.6666667f) - 1.0f);
    float z = 2.0f * r.uniform() - 1.0f, turn = 6.2831853f * r.uniform(), flat = std::sqrt(1.0f - z * z);
    float part = 0.0f, density = 1.0f;
    for (int k = 0; k < 100; ++k) {
        part = r.uniform();
        density = 0.1f * r.uniform();
        if (density < part * part * std::pow(1.0f - part * part, 3.5f)) break;
    }
    float speed = part * std::pow(1.0f + radius * radius, -0.25f);
    float vz = 2.0f * r.uniform() - 1.0f, vturn = 6.2831853f * r.uniform(), vflat = std::sqrt(1.0f - vz * vz);
    float side = at.i < n / 2 ? -1.0f : 1.0f;
    return star{body{radius * flat * std::cos(turn) + 3.0f * side, radius * flat * std::sin(turn) + 0.8f * side,
                     radius * z, 1.0f / (float)n},
                vec3{0.7f * speed * vflat * std::cos(vturn) - 0.3f * side, 0.7f * speed * vflat * std::sin(vturn),
                     0.7f * speed * vz}};
}));

} // namespace

cluster::cluster(std::size_t n, float softening)
    : bodies_(n, sk::uninitialized), speeds_(n, sk::uninitialized), soft2_(softening * softening)
{
    sk::tie(bodies_, speeds_) = plummer(sk::shape(n), sk::random_seed{1911}, static_cast<unsigned>(n));
    pulls_ = pulls_of(bodies_, bodies_, soft2_);
}

// The computation.
void cluster::steps(std::size_t n, float dt)
{
    for (std::size_t i = 0; i < n; ++i) {
        sk::tie(bodies_, speeds_) = kick_and_drift(bodies_, speeds_, pulls_, dt);
        pulls_ = pulls_of(bodies_, bodies_, soft2_);
        speeds_ = kick(speeds_, pulls_, 0.5f * dt);
    }
}

// What else is asked.
double cluster::energy() const
{
    const double moving = sum(kinetic(bodies_, speeds_));
    return moving + static_cast<double>(sum(potential(bodies_, bodies_, soft2_)));
}

} // namespace nbody
