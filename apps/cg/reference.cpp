// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <fmt/format.h>

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

/// Hestenes and Stiefel, 1952.
values textbook(const values& b, std::size_t n, std::size_t steps)
{
    values x(b.size(), 0.0), r = b, p = b;
    double rr = dot(r, r);
    for (std::size_t k = 0; k < steps && rr > 0; ++k) {
        const values q = applied(p, n);
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

values copy_of(const grid& g)
{
    const auto view = skelrt::host_read(g);
    return values(view.begin(), view.end());
}

double largest_of(const values& v)
{
    double largest = 0;
    for (const double one : v) largest = std::max(largest, std::abs(one));
    return largest;
}

} // namespace

apps::comparison compare_with_textbook(const grid& b, std::size_t steps, const solver& done)
{
    const std::size_t n = b.rows();
    const values right = copy_of(b), expected = textbook(right, n, steps), x = copy_of(done.x()),
                 r = copy_of(done.residual()), product = applied(x, n);
    const double x_scale = largest_of(expected), r_scale = largest_of(right);
    apps::comparison result{tolerance};
    for (std::size_t i = 0; i < x.size(); ++i) {
        const auto place = [&] { return fmt::format("row {}, column {}", i / n, i % n); };
        result.add(x[i], expected[i], x_scale, place);
        result.add(r[i], right[i] - product[i], r_scale, [&] { return "the residual at " + place(); });
    }
    return result;
}

} // namespace cg
