// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include "apps/shared/blas/signs.hpp"

#include <skelrt/host.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <fmt/format.h>

namespace cholesky
{
namespace
{

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
apps::comparison compare(const skelrt::matrix<T>& factor, const skelrt::matrix<T>& original)
{
    const std::size_t n = factor.rows();
    apps::comparison result{8 * std::sqrt(static_cast<double>(n)) * double{std::numeric_limits<T>::epsilon()}};
    const auto a = skelrt::host_read(original);
    const std::vector<double> x = apps::blas::random_signs(n), got = product<T>(skelrt::host_read(factor), x);
    for (std::size_t i = 0; i < n; ++i) {
        double sum = 0, magnitude = 0;
        for (std::size_t j = 0; j < n; ++j) {
            sum += double{a(i, j)} * x[j];
            magnitude += std::abs(double{a(i, j)});
        }
        result.add(got[i], sum, magnitude, [i] { return fmt::format("row {}", i); });
    }
    return result;
}

template apps::comparison compare(const skelrt::matrix<float>&, const skelrt::matrix<float>&);
template apps::comparison compare(const skelrt::matrix<double>&, const skelrt::matrix<double>&);

} // namespace cholesky
