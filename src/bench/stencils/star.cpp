// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/stencils/star.hpp"
#include "src/bench/shared/race/rival_team.hpp"
#include "src/bench/shared/report.hpp"
#include "src/bench/shared/timing.hpp"

#include <fmt/core.h>
#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace bench
{
namespace
{

namespace sk = skelrt;

constexpr std::size_t n = 2000;

const auto star1 = sk::stencil(
    SKELRT_FN((sk::hood2<double> u) { return (u(1, 0) - u(-1, 0) + u(0, 1) - u(0, -1)) / 2.0; }), sk::border::none());
const auto star2 = sk::stencil(SKELRT_FN((sk::hood2<double> u) {
                                   return (u(1, 0) - u(-1, 0) + u(0, 1) - u(0, -1)) / 4.0 +
                                          (u(2, 0) - u(-2, 0) + u(0, 2) - u(0, -2)) / 8.0;
                               }),
                               sk::border::none());
const auto star3 = sk::stencil(SKELRT_FN((sk::hood2<double> u) {
                                   return (u(1, 0) - u(-1, 0) + u(0, 1) - u(0, -1)) / 6.0 +
                                          (u(2, 0) - u(-2, 0) + u(0, 2) - u(0, -2)) / 12.0 +
                                          (u(3, 0) - u(-3, 0) + u(0, 3) - u(0, -3)) / 18.0;
                               }),
                               sk::border::none());
const auto star4 = sk::stencil(SKELRT_FN((sk::hood2<double> u) {
                                   return (u(1, 0) - u(-1, 0) + u(0, 1) - u(0, -1)) / 8.0 +
                                          (u(2, 0) - u(-2, 0) + u(0, 2) - u(0, -2)) / 16.0 +
                                          (u(3, 0) - u(-3, 0) + u(0, 3) - u(0, -3)) / 24.0 +
                                          (u(4, 0) - u(-4, 0) + u(0, 4) - u(0, -4)) / 32.0;
                               }),
                               sk::border::none());

const auto first_values = sk::map(SKELRT_FN((sk::index2 at) { return (double)(at.row * 7919 + at.col * 104729); }));

/// Both have done the same.
void compare(const sk::matrix<double>& mine, const std::vector<double>& right, const std::string& what)
{
    const auto h = sk::host_read(mine);
    for (std::size_t i = 0; i < right.size(); ++i)
        if (!(std::abs(h.data()[i] - right[i]) <= 1e-9 * (1 + std::abs(right[i]))))
            throw std::runtime_error(
                fmt::format("{}: element {} is {} here and {} there", what, i, h.data()[i], right[i]));
}

/// skelrt's time over that of the loop.
template <class Star>
double one_star(report& out, rival_team& team, int repeat, int batch, int radius, star_use use, const Star& star)
{
    const sk::matrix<double> in = first_values(sk::shape(n, n));
    const auto from = [&] { // the same, in the rival's memory
        const auto h = sk::host_read(in);
        return std::vector<double>(h.data(), h.data() + n * n);
    }();
    sk::matrix<double> grid(n, n, 0.0);
    std::vector<double> theirs(n * n, 0.0);
    const auto mine = [&] {
        const double start = now();
        for (int k = 0; k < batch; ++k)
            if (use == star_use::added) grid += star(in);
            else grid = star(in);
        sk::wait(grid);
        return (now() - start) / batch;
    };
    const auto rival = [&] {
        const paused_starpu quiet;
        const double start = now();
        for (int k = 0; k < batch; ++k) openmp_star(team, n, radius, use, from.data(), theirs.data());
        return (now() - start) / batch;
    };
    const std::string what =
        fmt::format("star of radius {}, {}", radius, use == star_use::added ? "added" : "assigned");
    const auto times = alternate({{"skelrt", mine}, {"OpenMP", rival}}, 2, repeat);
    compare(grid, theirs, what);
    const double gb = static_cast<double>((use == star_use::added ? 3 : 2) * n * n * sizeof(double)) / 1e9;
    out.row(what, "skelrt", times[0], gb / times[0].best, "GB/s");
    out.row(what, "OpenMP", times[1], gb / times[1].best, "GB/s");
    return times[0].median / times[1].median;
}

} // namespace

void stars_without_border(report& out, rival_team& team, int repeat, int batch)
{
    out.heading(fmt::format("stars without a border, {0} x {0} doubles", n));
    double worst = 0;
    const auto both = [&](int radius, const auto& star) {
        for (const star_use use : {star_use::assigned, star_use::added})
            worst = std::max(worst, one_star(out, team, repeat, batch, radius, use, star));
    };
    both(1, star1);
    both(2, star2);
    both(3, star3);
    both(4, star4);
    out.figure("cpu_stencil_none_vs_openmp", worst);
}

} // namespace bench
