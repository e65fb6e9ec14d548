// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include "apps/shared/blas/signs.hpp"

#include <skelrt/host.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <fmt/format.h>

namespace summa
{
namespace
{

/// A matrix times a vector, in double precision; and the same of magnitudes.
struct sums {
    std::vector<double> value, magnitude;
};

template <class T>
sums times(const skelrt::matrix<T>& m, const sums& x)
{
    const auto at = skelrt::host_read(m);
    sums y{std::vector<double>(at.rows()), std::vector<double>(at.rows())};
    for (std::size_t i = 0; i < at.rows(); ++i)
        for (std::size_t j = 0; j < at.cols(); ++j) {
            y.value[i] += double{at(i, j)} * x.value[j];
            y.magnitude[i] += std::abs(double{at(i, j)}) * x.magnitude[j];
        }
    return y;
}

} // namespace

template <class T>
apps::comparison compare(const skelrt::matrix<T>& c, const skelrt::matrix<T>& a, const skelrt::matrix<T>& b)
{
    const std::size_t n = c.rows();
    apps::comparison result{8 * std::sqrt(static_cast<double>(n)) * double{std::numeric_limits<T>::epsilon()}};
    const sums x{apps::blas::random_signs(n), std::vector<double>(n, 1.0)}, got = times(c, x),
                                                                            expected = times(a, times(b, x));
    for (std::size_t i = 0; i < n; ++i)
        result.add(got.value[i], expected.value[i], expected.magnitude[i], [i] { return fmt::format("row {}", i); });
    return result;
}

template apps::comparison compare(const skelrt::matrix<float>&, const skelrt::matrix<float>&,
                                  const skelrt::matrix<float>&);
template apps::comparison compare(const skelrt::matrix<double>&, const skelrt::matrix<double>&,
                                  const skelrt::matrix<double>&);

} // namespace summa
