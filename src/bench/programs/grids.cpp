// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/programs/user_program.hpp"

#include <skelrt/skelrt.hpp>

namespace bench
{
namespace
{

namespace sk = skelrt;

/// Five points, one step after the other.
double heat(std::size_t side, stopwatch& rounds)
{
    const auto step = sk::stencil(SKELRT_FN((sk::hood2<double> u) {
                                      return u(0, 0) + 0.2 * (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1) - 4.0 * u(0, 0));
                                  }),
                                  sk::border::constant(0.0));
    sk::matrix<double> u(side, side, 1.0);
    rounds.begin();
    for (int k = 0; k < 200; ++k) u = step(u);
    const double sum = sk::reduce(sk::plus, 0.0)(u);
    rounds.end();
    return sum;
}

/// Conway's game.
double life(std::size_t side, stopwatch& rounds)
{
    const auto generation =
        sk::stencil(SKELRT_FN((sk::hood2<unsigned char> u) {
                        int n = u(-1, -1) + u(-1, 0) + u(-1, 1) + u(0, -1) + u(0, 1) + u(1, -1) + u(1, 0) + u(1, 1);
                        return (unsigned char)(n == 3 || (n == 2 && u(0, 0) == 1) ? 1 : 0);
                    }),
                    sk::border::cyclic());
    const auto soup = sk::generate(SKELRT_FN(
        (sk::index2 at) { return (unsigned char)((at.row * at.col + at.row / 3 + at.col / 5) % 3 == 0 ? 1 : 0); }));
    sk::matrix<unsigned char> cells = soup(sk::shape(side, side));
    rounds.begin();
    cells = generation.iterate(200, cells);
    const long alive = sk::reduce(sk::plus, 0l)(sk::cast<long>(cells));
    rounds.end();
    return static_cast<double>(alive);
}

/// PRK's stencil: a star of radius 2 adds to the output, and the input grows.
double star(std::size_t side, stopwatch& rounds)
{
    const auto of = sk::stencil(SKELRT_FN((sk::hood2<double> u) {
                                    return 0.25 * (u(0, 1) - u(0, -1) + u(1, 0) - u(-1, 0)) +
                                           0.125 * (u(0, 2) - u(0, -2) + u(2, 0) - u(-2, 0));
                                }),
                                sk::border::nearest());
    sk::matrix<double> in =
        sk::generate(SKELRT_FN((sk::index2 at) { return (double)at.row + (double)at.col; }))(sk::shape(side, side));
    sk::matrix<double> out(side, side, 0.0);
    rounds.begin();
    for (int k = 0; k < 30; ++k) {
        out += of(in);
        in += 1.0;
    }
    const double sum = sk::reduce(sk::plus, 0.0)(out);
    rounds.end();
    return sum;
}

/// Seven points in a cube.
double cube(std::size_t side, stopwatch& rounds)
{
    const auto mean = sk::stencil(SKELRT_FN((sk::hood3<float> u) {
                                      return 0.4f * u(0, 0, 0) + 0.1f * (u(-1, 0, 0) + u(1, 0, 0) + u(0, -1, 0) +
                                                                         u(0, 1, 0) + u(0, 0, -1) + u(0, 0, 1));
                                  }),
                                  sk::border::constant(0.0f));
    sk::tensor<float, 3> t({side, side, side}, 1.0f);
    rounds.begin();
    for (int k = 0; k < 50; ++k) t = mean(t);
    const double sum = sk::reduce(sk::plus, 0.0)(sk::cast<double>(t));
    rounds.end();
    return sum;
}

/// Jacobi's method, until the change is small, which is asked after each tenth step.
double poisson(std::size_t side, stopwatch& rounds)
{
    const auto relax = sk::stencil(
        SKELRT_FN((sk::hood2<double> u, double f) { return 0.25 * (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1) + f); }),
        sk::border::constant(0.0));
    const auto change = sk::map(SKELRT_FN((double a, double b) { return fabs(a - b); }));
    const auto largest = sk::reduce(sk::maximum, 0.0);
    sk::matrix<double> u(side, side, 0.0), v(side, side), f(side, side, 1e-3);
    int steps = 0;
    rounds.begin();
    for (double by = 1; by > 9.5e-4 && steps < 300; steps += 10) {
        for (int k = 0; k < 9; ++k) u = relax(u, f);
        v = relax(u, f);
        by = largest(change(u, v));
        std::swap(u, v);
    }
    const double sum = sk::reduce(sk::plus, 0.0)(u);
    rounds.end();
    return sum + steps;
}

/// A wave: two grids of the past.
double wave(std::size_t side, stopwatch& rounds)
{
    const auto next = sk::stencil(SKELRT_FN((sk::hood2<float> u, float before) {
                                      float around = u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1) - 4.0f * u(0, 0);
                                      return 2.0f * u(0, 0) - before + 0.1f * around;
                                  }),
                                  sk::border::constant(0.0f));
    sk::matrix<float> before(side, side, 0.0f), u(side, side, 0.0f);
    {
        auto h = sk::host(u);
        h(side / 2, side / 2) = 1.0f;
    }
    rounds.begin();
    for (int k = 0; k < 200; ++k) {
        before = next(u, before);
        std::swap(before, u);
    }
    const double sum = sk::reduce(sk::plus, 0.0)(sk::cast<double>(u * u));
    rounds.end();
    return sum;
}

constexpr user_program all[] = {
    {"heat", "five points, 200 steps one by one", {128, 1000, 4000}, &heat},
    {"life", "Conway's game, 200 generations", {256, 2048, 8192}, &life},
    {"star", "a star of radius 2 adds to the output, the input grows", {128, 1000, 4000}, &star},
    {"cube", "seven points in a cube, 50 steps", {32, 128, 384}, &cube},
    {"poisson", "Jacobi until the change is small, looked at each tenth step", {128, 1000, 3000}, &poisson},
    {"wave", "a wave equation, 200 steps", {128, 1000, 4000}, &wave},
};

} // namespace

std::span<const user_program> grid_programs() { return all; }

} // namespace bench
