// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

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

values rates(const bruss2d& problem, const values& y, double)
{
    const std::size_t n = problem.n;
    values to(y.size());
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            const species m = y[i * n + j], around = y[(i > 0 ? i - 1 : 0) * n + j] +
                                                     y[std::min(i + 1, n - 1) * n + j] +
                                                     y[i * n + (j > 0 ? j - 1 : 0)] + y[i * n + std::min(j + 1, n - 1)];
            const double u = m.real(), v = m.imag();
            to[i * n + j] = species(1 + u * u * v - 4.4 * u, 3.4 * u - u * u * v) +
                            alpha * static_cast<double>(n * n) * (around - 4.0 * m);
        }
    return to;
}

/// With the numbers of the test set: zeta_j = j / n, and y_(-1) = phi in front of the first place. Its published values
/// for n = 200 at t = 20 come out, such as u_40 = 2.3399422e-4, u_75 = 3.5956160e-4 and v_120 = 0.99999973.
values rates(const medakzo& problem, const values& y, double phi)
{
    constexpr double k = 100, c = 4;
    const std::size_t n = problem.n;
    const double apart = 1 / static_cast<double>(n);
    values to(n);
    for (std::size_t j = 1; j <= n; ++j) {
        const double zeta = static_cast<double>(j) * apart, here = y[j - 1].real();
        const double in_front = j == 1 ? phi : y[j - 2].real(), behind = j == n ? here : y[j].real();
        const double a = 2 * std::pow(zeta - 1, 3) / (c * c), b = std::pow(zeta - 1, 4) / (c * c);
        const double reaction = k * here * y[j - 1].imag();
        to[j - 1] = {a * (behind - in_front) / (2 * apart) + b * (in_front - 2 * here + behind) / (apart * apart) -
                         reaction,
                     -reaction};
    }
    return to;
}

/// y + h * (the sum of weight[s] * k[s] of the first so many stages).
values moved(const values& y, double h, const double* weight, const std::array<values, stages>& k, std::size_t count)
{
    values to = y;
    for (std::size_t s = 0; s < count; ++s)
        for (std::size_t i = 0; i < y.size(); ++i) to[i] += h * weight[s] * k[s][i];
    return to;
}

/// The root of the mean square of the difference, in units of what is tolerated.
double error_of(const values& y, const values& one, const values& other, double tolerance)
{
    double all = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        const species error = (one[i] - other[i]) / tolerance;
        all += std::pow(error.real() / (1 + std::abs(y[i].real())), 2) +
               std::pow(error.imag() / (1 + std::abs(y[i].imag())), 2);
    }
    return std::sqrt(all / static_cast<double>(2 * y.size()));
}

/// From y at `t` to `end`; `given`: to the rates.
template <class Problem>
values advanced(const Problem& problem, values y, double t, double end, double tolerance, double given)
{
    double h = std::min(problem.first_step(), end - t);
    while (t < end) {
        std::array<values, stages> k;
        for (std::size_t s = 0; s < stages; ++s) k[s] = rates(problem, moved(y, h, a[s], k, s), given);
        const values next = moved(y, h, fifth, k, stages);
        const double error = error_of(y, next, moved(y, h, fourth, k, stages), tolerance), taken = h;
        h *= std::clamp(0.9 * std::pow(error, -0.2), 0.2, 5.0);
        if (error <= 1) {
            y = next;
            t = taken >= end - t ? end : t + taken;
        }
        h = std::min(h, end - t);
    }
    return y;
}

} // namespace

values plain_integrated(const bruss2d& problem, double tolerance, double end)
{
    const std::size_t n = problem.n;
    values y;
    const auto edge = 1 / static_cast<double>(n);
    for (std::size_t i = 0; i < n * n; ++i)
        y.emplace_back(0.5 + edge * (static_cast<double>(i / n) + 0.5),
                       1 + 5 * edge * (static_cast<double>(i % n) + 0.5));
    return advanced(problem, y, 0, end, tolerance, 0);
}

values plain_integrated(const medakzo& problem, double tolerance, double end)
{
    const values y = advanced(problem, values(problem.n, {0, 1}), 0, std::min(end, 5.0), tolerance, 2);
    return end > 5 ? advanced(problem, y, 5, end, tolerance, 0) : y;
}

} // namespace ode
