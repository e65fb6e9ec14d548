// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

namespace lj
{
namespace
{

vec3 force_between(const atom& a, const atom& b, const cells& box)
{
    const vec3 d = apart(a.at, b.at, box.edge);
    const float r2 = square_of(d), r6 = 1 / (r2 * r2 * r2);
    return plus({0, 0, 0}, d, r2 < box.cutoff * box.cutoff ? (48 * r6 * r6 - 24 * r6) / r2 : 0);
}

std::vector<vec3> forces_on(const std::vector<atom>& atoms, const cells& box)
{
    const int m = box.along;
    std::vector<std::vector<const atom*>> lists(static_cast<std::size_t>(m * m * m));
    const auto list_of = [&](int x, int y, int z) -> auto&
    {
        return lists[static_cast<std::size_t>((z % m * m + y % m) * m + x % m)];
    };
    for (const atom& a : atoms) list_of(cell_of(a.at.x, box), cell_of(a.at.y, box), cell_of(a.at.z, box)).push_back(&a);
    std::vector<vec3> forces;
    for (const atom& a : atoms) {
        vec3 force{0, 0, 0};
        const int x = cell_of(a.at.x, box) + m, y = cell_of(a.at.y, box) + m, z = cell_of(a.at.z, box) + m;
        for (int near = 0; near < 27; ++near)
            for (const atom* other : list_of(x + near % 3 - 1, y + near / 3 % 3 - 1, z + near / 9 - 1))
                if (other != &a) force = plus(force, force_between(a, *other, box), 1);
        forces.push_back(force);
    }
    return forces;
}

} // namespace

std::vector<atom> plain_steps(const fluid& start, std::size_t steps, float dt)
{
    std::vector<atom> atoms(start.atoms().size());
    for (const atom& a : skelrt::host_read(start.atoms())) atoms[a.number] = a;
    std::vector<vec3> forces = forces_on(atoms, start.box());
    for (std::size_t n = 0; n < steps; ++n) {
        for (atom& a : atoms) {
            a.speed = plus(a.speed, forces[a.number], 0.5f * dt);
            a.at = into_box(plus(a.at, a.speed, dt), start.box().edge);
        }
        forces = forces_on(atoms, start.box());
        for (atom& a : atoms) a.speed = plus(a.speed, forces[a.number], 0.5f * dt);
    }
    return atoms;
}

} // namespace lj
