// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"

namespace lbm
{
namespace
{

namespace sk = skelrt;

const auto begin = sk::generate(SKELRT_FN((sk::index2 at, flow w) {
    return equilibrium(motion{1.0f, (int)at.row > w.rows / 2 ? 1.02f * w.speed : w.speed, 0.0f});
}));

// Each cell takes what comes to it, and collides. The cylinder's own cells turn it round instead.
const auto step =
    sk::stencil(SKELRT_FN((sk::index2 at, sk::hood2<cell> u, flow w) {
                    if (at.col == 0) return equilibrium(motion{1.0f, w.speed, 0.0f});
                    if ((int)at.col == w.cols - 1) return u(0, -1);
                    cell c{{u(0, 0).f[0], u(0, -1).f[1], u(-1, 0).f[2], u(0, 1).f[3], u(1, 0).f[4], u(-1, -1).f[5],
                            u(-1, 1).f[6], u(1, 1).f[7], u(1, -1).f[8]}};
                    float dx = (float)at.col - w.x, dy = (float)at.row - w.y;
                    if (dx * dx + dy * dy < w.radius * w.radius)
                        return cell{{c.f[0], c.f[3], c.f[4], c.f[1], c.f[2], c.f[7], c.f[8], c.f[5], c.f[6]}};
                    cell goal = equilibrium(motion_of(c));
                    for (int k = 0; k < 9; ++k) c.f[k] += w.rate * (goal.f[k] - c.f[k]);
                    return c;
                }),
                sk::border::cyclic());

const auto curl =
    sk::stencil(SKELRT_FN((sk::hood2<motion> u) { return 0.5f * (u(0, 1).y - u(0, -1).y - u(1, 0).x + u(-1, 0).x); }),
                sk::border::nearest());
const auto motion_there = sk::map(SKELRT_FN((cell c) { return motion_of(c); }));

} // namespace

lattice wind(const flow& w)
{
    return begin(sk::shape(static_cast<std::size_t>(w.rows), static_cast<std::size_t>(w.cols)), w);
}

void advance(lattice& to, const lattice& from, std::size_t steps, const flow& w) { to = step.iterate(steps, from, w); }

sk::matrix<float> vorticity(const lattice& l) { return curl(motion_there(l)); }

} // namespace lbm
