// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include <numeric>

namespace cg
{
namespace
{

using values = std::vector<double>;

values applied(const values& u, std::size_t n)
{
    values result(n * n);
    const auto at = [&](std::size_t i, std::size_t j) { return i < n && j < n ? u[i * n + j] : 0.0; }; // -1 wraps
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            result[i * n + j] = 4 * at(i, j) - at(i - 1, j) - at(i + 1, j) - at(i, j - 1) - at(i, j + 1);
    return result;
}

double dot(const values& a, const values& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

} // namespace

/// Hestenes and Stiefel, 1952.
values plain_steps(const grid& b, std::size_t steps)
{
    const auto from = skelrt::host_read(b);
    values x(b.size(), 0.0), r(from.begin(), from.end()), p = r;
    double rr = dot(r, r);
    for (std::size_t k = 0; k < steps && rr > 0; ++k) {
        const values q = applied(p, b.rows());
        const double along = rr / dot(p, q);
        for (std::size_t i = 0; i < b.size(); ++i) {
            x[i] += along * p[i];
            r[i] -= along * q[i];
        }
        const double next = dot(r, r), factor = next / rr;
        for (std::size_t i = 0; i < b.size(); ++i) p[i] = r[i] + factor * p[i];
        rr = next;
    }
    return x;
}

} // namespace cg
