// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include "problem.hpp"

#include <skelrt/host.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

#include <fmt/format.h>

namespace cholesky
{
namespace
{

std::vector<double> random_signs(std::size_t n)
{
    std::vector<double> x(n);
    std::mt19937_64 random(1910);
    for (double& v : x) v = random() % 2 == 0 ? 1 : -1;
    return x;
}

/// L (L^T x).
template <class T>
std::vector<double> product(const skelrt::host_matrix<const T>& l, const std::vector<double>& x)
{
    const std::size_t n = x.size();
    std::vector<double> inner(n), outer(n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) inner[j] += static_cast<double>(l(i, j)) * x[i];
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) outer[i] += static_cast<double>(l(i, j)) * inner[j];
    return outer;
}

} // namespace

template <class T>
apps::comparison compare(const skelrt::matrix<T>& factor)
{
    const std::size_t n = factor.rows();
    apps::comparison result{8 * std::sqrt(static_cast<double>(n)) * double{std::numeric_limits<T>::epsilon()}};
    const std::vector<double> x = random_signs(n), got = product<T>(skelrt::host_read(factor), x);
    for (std::size_t i = 0; i < n; ++i) {
        double sum = 0, magnitude = 0;
        for (std::size_t j = 0; j < n; ++j) {
            const double a = double{static_cast<T>(element(i, j, n))};
            sum += a * x[j];
            magnitude += std::abs(a);
        }
        result.add(got[i], sum, magnitude, [i] { return fmt::format("row {}", i); });
    }
    return result;
}

template apps::comparison compare(const skelrt::matrix<float>&);
template apps::comparison compare(const skelrt::matrix<double>&);

} // namespace cholesky
