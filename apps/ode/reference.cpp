// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace ode
{
namespace
{

using values = std::vector<species>;

/// Fehlberg's tableau as he printed it, in numbers of its own: the devices' is text that both would get wrong together.
constexpr std::size_t stages = 6;
constexpr double a[stages][stages - 1] = {{},
                                          {1. / 4},
                                          {3. / 32, 9. / 32},
                                          {1932. / 2197, -7200. / 2197, 7296. / 2197},
                                          {439. / 216, -8, 3680. / 513, -845. / 4104},
                                          {-8. / 27, 2, -3544. / 2565, 1859. / 4104, -11. / 40}};
constexpr double fifth[stages] = {16. / 135, 0, 6656. / 12825, 28561. / 56430, -9. / 50, 2. / 55};
constexpr double fourth[stages] = {25. / 216, 0, 1408. / 2565, 2197. / 4104, -1. / 5, 0};

void rates(const values& y, values& to, std::size_t n)
{
    const double spread = alpha * static_cast<double>(n * n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            const species m = y[i * n + j];
            double u = -4 * m.u, v = -4 * m.v;
            for (const std::size_t at : {(i > 0 ? i - 1 : 0) * n + j, std::min(i + 1, n - 1) * n + j,
                                         i * n + (j > 0 ? j - 1 : 0), i * n + std::min(j + 1, n - 1)}) {
                u += y[at].u;
                v += y[at].v;
            }
            to[i * n + j] = {1 + m.u * m.u * m.v - 4.4 * m.u + spread * u, 3.4 * m.u - m.u * m.u * m.v + spread * v};
        }
}

/// One try; returns its error and what it came to.
double attempt(const values& y, values& result, std::array<values, stages>& k, std::size_t n, double h,
               double tolerance)
{
    values at(y.size());
    for (std::size_t s = 0; s < stages; ++s) {
        for (std::size_t i = 0; i < y.size(); ++i) {
            at[i] = y[i];
            for (std::size_t j = 0; j < s; ++j) {
                at[i].u += h * a[s][j] * k[j][i].u;
                at[i].v += h * a[s][j] * k[j][i].v;
            }
        }
        rates(at, k[s], n);
    }
    double all = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        species error{}, next = y[i];
        for (std::size_t s = 0; s < stages; ++s) {
            next.u += h * fifth[s] * k[s][i].u;
            next.v += h * fifth[s] * k[s][i].v;
            error.u += h * (fifth[s] - fourth[s]) * k[s][i].u;
            error.v += h * (fifth[s] - fourth[s]) * k[s][i].v;
        }
        const double eu = error.u / (tolerance * (1 + std::abs(y[i].u))),
                     ev = error.v / (tolerance * (1 + std::abs(y[i].v)));
        all += eu * eu + ev * ev;
        result[i] = next;
    }
    return std::sqrt(all / static_cast<double>(2 * y.size()));
}

values integrated(std::size_t n, double tolerance, double end)
{
    values y(n * n), next(n * n);
    std::array<values, stages> k;
    k.fill(y);
    for (std::size_t i = 0; i < n * n; ++i)
        y[i] = {0.5 + (static_cast<double>(i / n) + 0.5) / static_cast<double>(n),
                1 + 5 * (static_cast<double>(i % n) + 0.5) / static_cast<double>(n)};
    double t = 0, h = std::min(first_step(n), end);
    while (t < end) {
        const double error = attempt(y, next, k, n, h, tolerance), taken = h;
        h *= std::clamp(0.9 * std::pow(error, -0.2), 0.2, 5.0);
        if (error <= 1) {
            std::swap(y, next);
            t = taken >= end - t ? end : t + taken;
        }
        h = std::min(h, end - t);
    }
    return y;
}

} // namespace

apps::comparison compare_with_loops(const solver& done, double tolerance, double end)
{
    const std::size_t n = done.values().rows();
    const values expected = integrated(n, tolerance, end);
    const auto got = skelrt::host_read(done.values());
    apps::comparison result{tolerated_part * tolerance};
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            const species want = expected[i * n + j], have = got(i, j);
            result.add(have.u, want.u, 1 + std::abs(want.u),
                       [&] { return fmt::format("u at row {}, column {}", i, j); });
            result.add(have.v, want.v, 1 + std::abs(want.v),
                       [&] { return fmt::format("v at row {}, column {}", i, j); });
        }
    return result;
}

} // namespace ode
