// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace jacobi
{
namespace
{

using apps::cubic;

constexpr std::size_t most_places = 400;
constexpr double least_weight = 1e-18; ///< of those that are left out all together: far below rounding

/// (n over m) / 2^n.
double binomial_weight(std::size_t n, std::size_t m)
{
    const auto log_factorial = [](std::size_t k) { return std::lgamma(static_cast<double>(k) + 1); };
    return std::exp(log_factorial(n) - log_factorial(m) - log_factorial(n - m) -
                    static_cast<double>(n) * std::log(2.0));
}

/// First and last place always: they are where a wrong border shows first.
std::vector<std::size_t> places_within(std::size_t n)
{
    std::vector<std::size_t> result;
    const std::size_t count = std::min(n, most_places);
    for (std::size_t k = 0; k < count; ++k) result.push_back(count == 1 ? 0 : k * (n - 1) / (count - 1));
    return result;
}

/// A polynomial at the points within an edge, averaged `first` to `last` times: what is at the places then.
std::vector<double> averaged(const cubic& p, double h, std::size_t points, std::size_t first, std::size_t last,
                             const std::vector<std::size_t>& places)
{
    std::vector<double> now(points + 2, 0.0), next(points + 2, 0.0), result; // with the edges, which stay 0
    for (std::size_t i = 1; i <= points; ++i) now[i] = value(p, static_cast<double>(i) * h);
    for (std::size_t m = 0; m <= last; ++m) {
        if (m >= first)
            for (const std::size_t i : places) result.push_back(now[i + 1]);
        for (std::size_t i = 1; i <= points; ++i) next[i] = 0.5 * (now[i - 1] + now[i + 1]);
        std::swap(now, next);
    }
    return result;
}

} // namespace

reference::reference(const product& u, std::size_t size, std::size_t steps) : u_(u), places_(places_within(size - 2))
{
    std::size_t first = 0;
    while (binomial_weight(steps, first) < least_weight) ++first;
    const std::size_t last = steps - first; // the weights are symmetric
    for (std::size_t m = first; m <= last; ++m) weight_.push_back(binomial_weight(steps, m));
    x_ = averaged(u.p, u.h, size - 2, first, last, places_);
    y_ = averaged(u.q, u.h, size - 2, first, last, places_);
}

double reference::at(std::size_t row, std::size_t col) const
{
    double error = 0;
    for (std::size_t k = 0; k < weight_.size(); ++k)
        error += weight_[k] * x_[k * places_.size() + col] * y_[(weight_.size() - 1 - k) * places_.size() + row];
    const auto position = [&](std::size_t k) { return static_cast<double>(places_[k] + 1) * u_.h; };
    return solution_at(u_, position(col), position(row)) - error;
}

apps::comparison reference::compare(const grid& values) const
{
    const std::size_t n = places_.size();
    std::vector<double> expected(n * n);
    for (std::size_t i = 0; i < n * n; ++i) expected[i] = at(i / n, i % n);
    double scale = 0, largest = 0;
    const auto position = [&](std::size_t k) { return static_cast<double>(places_[k] + 1) * u_.h; };
    for (std::size_t i = 0; i < n * n; ++i) {
        scale = std::max(scale, std::abs(expected[i]));
        largest = std::max(largest, std::abs(solution_at(u_, position(i % n), position(i / n))));
    }
    // After few steps, what is left of u less the error is rounding: some hundred units in the last place of u.
    scale = std::max(scale, 1e-4 * largest);
    apps::comparison result{tolerance};
    const auto got = skelrt::host_read(values);
    for (std::size_t i = 0; i < n * n; ++i) {
        const std::size_t row = places_[i / n], col = places_[i % n];
        result.add(got(row, col), expected[i], scale, [&] { return fmt::format("row {}, column {}", row, col); });
    }
    return result;
}

} // namespace jacobi
