// SPDX-License-Identifier: BSD-3-Clause
#include "poisson.hpp"

#include <skelrt/skelrt.hpp>

#include <cmath>

namespace apps
{
namespace
{

namespace sk = skelrt;

const auto wrong_by = sk::map(SKELRT_FN((sk::index2 at, double value, product u) {
    return std::fabs(value - solution_at(u, u.h * (double)(at.col + 1), u.h * (double)(at.row + 1)));
}));
const auto largest = sk::reduce(sk::maximum, 0.0);

} // namespace

product poisson_problem(int number, std::size_t size)
{
    const double h = 1.0 / static_cast<double>(size - 1);
    if (number == 1) return {{0, -1, 1}, {0, -1, 1}, h};
    return {{3, -1, -2}, {2, -1, -1}, h};
}

double error_of(const grid& values, const product& u) { return largest(wrong_by(values, u)); }

std::vector<double> without_edges(const std::vector<double>& u, std::size_t n)
{
    std::vector<double> inner;
    for (std::size_t i = 1; i <= n; ++i) {
        const auto first = u.begin() + static_cast<std::ptrdiff_t>(i * (n + 2) + 1);
        inner.insert(inner.end(), first, first + static_cast<std::ptrdiff_t>(n));
    }
    return inner;
}

} // namespace apps
