// SPDX-License-Identifier: BSD-3-Clause
// The one function that counts. In a file of its own because it is compiled for speed: -ffast-math lets gcc use the
// CPU's reciprocal square root with a Newton step, at the same accuracy (--check sees it); -O2, because at -O3 gcc 12
// unrolls the loop over the run before it could become a vector. On one core of a Sapphire Rapids: 3.6 G pairs/s, 2.1
// with true divisions in vectors, 0.46 at plain -O2 or -O3.
#include "potential.hpp"

#include <cmath>

namespace coulomb
{

// CUDA has a function of this name, and there the unqualified call means that one; elsewhere it means this one.
// (CUDA's compiler keeps to IEEE rules and would not make the fast instruction of a division by a square root.)
// To the end: clang-format takes SKELRT_SHARED for the head of a function.
// clang-format off
SKELRT_SHARED(
    namespace portable { inline float rsqrt(float x) { return 1.0f / std::sqrt(x); } }
)

namespace
{

using portable::rsqrt;

const auto potential = skelrt::map(SKELRT_FN((skelrt::index2 at, skelrt::vec<point_charge> charges, lattice g) {
    const float x = g.x0 + g.hx * (float)(at.col * 8);
    const float y = g.y0 + g.hy * (float)(at.row % g.ny);
    const float z = g.z0 + g.hz * (float)(at.row / g.ny);
    const unsigned count = (unsigned)charges.size();
    run8 sum;
    for (int k = 0; k < 8; ++k) sum.v[k] = 0.0f;
    for (unsigned j = 0; j < count; ++j) {
        const point_charge a = charges[j];
        const float dx = x - a.x;
        const float dy = y - a.y;
        const float dz = z - a.z;
        const float dyz2 = dy * dy + dz * dz;
        for (int k = 0; k < 8; ++k) {
            const float dxk = dx + g.hx * (float)k;
            const float d2 = dxk * dxk + dyz2;
            sum.v[k] += a.q * rsqrt(std::fmax(d2, g.near2));
        }
    }
    for (int k = 0; k < 8; ++k) sum.v[k] *= g.scale;
    return sum;
}));

} // namespace

void compute(field& f, const skelrt::vector<point_charge>& charges)
{
    f.values = potential(skelrt::shape(f.where.rows(), f.where.runs()), charges, f.where.where);
}

} // namespace coulomb
