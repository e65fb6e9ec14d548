// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"

#include <cmath>

namespace lj
{
namespace
{

namespace sk = skelrt;

const auto lattice = sk::generate(SKELRT_FN((sk::index1 at, sk::random r, cells b, int n, float temperature) {
    int cell = (int)at.i / 4, k = (int)at.i % 4;
    float step = b.edge / (float)n, heat = std::sqrt(temperature);
    atom a;
    a.at.x = step * ((float)(cell % n) + (k == 1 || k == 2 ? 0.75f : 0.25f));
    a.at.y = step * ((float)(cell / n % n) + (k == 1 || k == 3 ? 0.75f : 0.25f));
    a.at.z = step * ((float)(cell / n / n) + (k == 2 || k == 3 ? 0.75f : 0.25f));
    float vx = heat * r.normal(), vy = heat * r.normal(), vz = heat * r.normal();
    a.speed = vec3{vx, vy, vz};
    a.number = (unsigned)at.i;
    return a;
}));

const auto speed_of = sk::map(SKELRT_FN((atom a) { return a.speed; }));
const auto sum = sk::reduce(SKELRT_FN((vec3 a, vec3 b) { return sum_of(a, b, 1.0f); }), vec3{0, 0, 0});
const auto add_speed = sk::map(SKELRT_FN((atom a, vec3 v, float factor) {
    a.speed = sum_of(a.speed, v, factor);
    return a;
}));

const auto cell_number = sk::map(SKELRT_FN(
    (atom a, cells b) { return (cell_of(a.at.z, b) * b.along + cell_of(a.at.y, b)) * b.along + cell_of(a.at.x, b); }));

// The potential is shifted, so that it ends at the cutoff without a step.
const auto pull_on =
    sk::map(SKELRT_FN((atom a, sk::vec<atom> all, sk::vec<unsigned> first, sk::vec<unsigned> count, cells b) {
        float limit = b.cutoff * b.cutoff, end = 1.0f / (limit * limit * limit), shift = 4.0f * (end * end - end);
        int x = cell_of(a.at.x, b), y = cell_of(a.at.y, b), z = cell_of(a.at.z, b), m = b.along;
        pull p;
        p.force = vec3{0.0f, 0.0f, 0.0f};
        p.energy = 0.0f;
        for (int near = 0; near < 27; ++near) {
            int cx = (x + near % 3 + m - 1) % m, cy = (y + near / 3 % 3 + m - 1) % m, cz = (z + near / 9 + m - 1) % m;
            int cell = (cz * m + cy) * m + cx;
            unsigned last = first[cell] + count[cell];
            for (unsigned k = first[cell]; k < last; ++k) {
                atom o = all[k];
                vec3 d{nearest(a.at.x - o.at.x, b.edge), nearest(a.at.y - o.at.y, b.edge),
                       nearest(a.at.z - o.at.z, b.edge)};
                float r2 = d.x * d.x + d.y * d.y + d.z * d.z;
                if (r2 >= limit || o.number == a.number) continue;
                float inverse = 1.0f / r2, r6 = inverse * inverse * inverse;
                p.force = sum_of(p.force, d, 48.0f * r6 * (r6 - 0.5f) * inverse);
                p.energy += 0.5f * (4.0f * (r6 * r6 - r6) - shift);
            }
        }
        return p;
    }));

const auto kick = sk::map(SKELRT_FN((atom a, pull p, float t) {
    a.speed = sum_of(a.speed, p.force, t);
    return a;
}));
const auto drift = sk::map(SKELRT_FN((atom a, float dt, float edge) {
    vec3 to = sum_of(a.at, a.speed, dt);
    a.at = vec3{wrapped(to.x, edge), wrapped(to.y, edge), wrapped(to.z, edge)};
    return a;
}));

const auto energy_of = sk::map(SKELRT_FN((atom a, pull p) {
    return 0.5 * (double)(a.speed.x * a.speed.x + a.speed.y * a.speed.y + a.speed.z * a.speed.z) + (double)p.energy;
}));
const auto total = sk::reduce(sk::plus, 0.0);

} // namespace

fluid::fluid(std::size_t n, float density, float temperature, float cutoff)
{
    const std::size_t count = 4 * n * n * n;
    box_.edge = std::cbrt(static_cast<float>(count) / density);
    box_.cutoff = cutoff;
    box_.along = static_cast<int>(box_.edge / cutoff);
    atoms_ = lattice(sk::shape(count), sk::random_seed{1924}, box_, static_cast<int>(n), temperature);
    const sk::scalar<vec3> momentum = sum(speed_of(atoms_));
    atoms_ = add_speed(atoms_, momentum, -1 / static_cast<float>(count)); // at rest as a whole
    find_pulls();
}

void fluid::find_pulls()
{
    const auto m = static_cast<std::size_t>(box_.along);
    sk::vector<int> cell = cell_number(atoms_, box_);
    sk::sort_by_key(cell, atoms_);
    const sk::vector<unsigned> count = sk::histogram(cell, m * m * m, 0, static_cast<int>(m * m * m));
    const sk::vector<unsigned> first = sk::exclusive_scan(sk::plus, 0u)(count);
    pulls_ = pull_on(atoms_, atoms_, first, count, box_);
}

void fluid::steps(std::size_t n, float dt)
{
    for (std::size_t i = 0; i < n; ++i) {
        atoms_ = drift(kick(atoms_, pulls_, 0.5f * dt), dt, box_.edge);
        find_pulls();
        atoms_ = kick(atoms_, pulls_, 0.5f * dt);
    }
}

double fluid::energy() const
{
    const double all = total(energy_of(atoms_, pulls_));
    return all / static_cast<double>(atoms_.size());
}

} // namespace lj
