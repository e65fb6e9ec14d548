// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"

#include <cmath>

namespace lj
{
namespace
{

namespace sk = skelrt;

// The problem.
const auto lattice = sk::generate(SKELRT_FN((sk::index1 at, sk::random r, cells b, int n, float temperature) {
    int cell = (int)at.i / 4, k = (int)at.i % 4;
    float step = b.edge / (float)n, heat = std::sqrt(temperature);
    float vx = heat * r.normal(), vy = heat * r.normal(), vz = heat * r.normal();
    vec3 place{step * ((float)(cell % n) + (k == 1 || k == 2 ? 0.75f : 0.25f)),
               step * ((float)(cell / n % n) + (k == 1 || k == 3 ? 0.75f : 0.25f)),
               step * ((float)(cell / n / n) + (k == 2 || k == 3 ? 0.75f : 0.25f))};
    return atom{place, vec3{vx, vy, vz}, (unsigned)at.i};
}));

// The computation.
const auto cell_number = sk::map(SKELRT_FN(
    (atom a, cells b) { return (cell_of(a.at.z, b) * b.along + cell_of(a.at.y, b)) * b.along + cell_of(a.at.x, b); }));

// The potential is shifted, so that it ends at the cutoff without a step.
const auto pull_on = sk::map(SKELRT_FN((atom a, sk::vec<atom> all, sk::vec<unsigned> first, cells b) {
    float limit = b.cutoff * b.cutoff, end = 1.0f / (limit * limit * limit), shift = 4.0f * (end * end - end);
    int x = cell_of(a.at.x, b), y = cell_of(a.at.y, b), z = cell_of(a.at.z, b), m = b.along;
    pull p{{0.0f, 0.0f, 0.0f}, 0.0f};
    for (int near = 0; near < 27; ++near) {
        int cx = (x + near % 3 + m - 1) % m, cy = (y + near / 3 % 3 + m - 1) % m, cz = (z + near / 9 + m - 1) % m;
        int cell = (cz * m + cy) * m + cx;
        for (unsigned k = first[cell]; k < first[cell + 1]; ++k) {
            atom o = all[k];
            vec3 d = apart(a.at, o.at, b.edge);
            float r2 = square_of(d);
            if (r2 >= limit || o.number == a.number) continue;
            float inverse = 1.0f / r2, r6 = inverse * inverse * inverse;
            p.force = plus(p.force, d, 48.0f * r6 * (r6 - 0.5f) * inverse);
            p.energy += 0.5f * (4.0f * (r6 * r6 - r6) - shift);
        }
    }
    return p;
}));

const auto kick = sk::map(SKELRT_FN((atom a, pull p, float t) {
    a.speed = plus(a.speed, p.force, t);
    return a;
}));
const auto drift = sk::map(SKELRT_FN((atom a, float dt, float edge) {
    a.at = into_box(plus(a.at, a.speed, dt), edge);
    return a;
}));

// What else is asked.
const auto energy_of =
    sk::map(SKELRT_FN((atom a, pull p) { return 0.5 * (double)square_of(a.speed) + (double)p.energy; }));
const auto total = sk::reduce(sk::plus, 0.0);

} // namespace

// The problem.
fluid::fluid(std::size_t n, float density, float temperature, float cutoff)
{
    const std::size_t count = 4 * n * n * n;
    box_.edge = std::cbrt(static_cast<float>(count) / density);
    box_.cutoff = cutoff;
    box_.along = static_cast<int>(box_.edge / cutoff);
    atoms_ = lattice(sk::shape(count), sk::random_seed{1924}, box_, static_cast<int>(n), temperature);
    find_pulls();
}

// The computation.
void fluid::find_pulls()
{
    sk::vector<int> cell = cell_number(atoms_, box_);
    sk::sort_by_key(cell, atoms_);
    const int ends = box_.along * box_.along * box_.along + 1; // one more: where the last cell ends
    const sk::vector<unsigned> count = sk::histogram(cell, static_cast<std::size_t>(ends), 0, ends);
    const sk::vector<unsigned> first = sk::exclusive_scan(sk::plus, 0u)(count);
    pulls_ = pull_on(atoms_, atoms_, first, box_);
}

void fluid::steps(std::size_t n, float dt)
{
    for (std::size_t i = 0; i < n; ++i) {
        atoms_ = drift(kick(atoms_, pulls_, 0.5f * dt), dt, box_.edge);
        find_pulls();
        atoms_ = kick(atoms_, pulls_, 0.5f * dt);
    }
}

// What else is asked.
double fluid::energy() const
{
    const double all = total(energy_of(atoms_, pulls_));
    return all / static_cast<double>(atoms_.size());
}

} // namespace lj
