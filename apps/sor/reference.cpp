// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

namespace sor
{

apps::comparison compare_with_loops(const grid& values, const equations& e, std::size_t sweeps)
{
    const std::size_t n = values.rows(), ld = n + 2; // with the edges, which stay 0
    const auto source = skelrt::host_read(e.source);
    std::vector<double> u(ld * ld, 0.0);
    for (std::size_t half = 0; half < 2 * sweeps; ++half)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = (i + half) % 2; j < n; j += 2) {
                double* const at = &u[(i + 1) * ld + j + 1];
                const double own = (at[-static_cast<std::ptrdiff_t>(ld)] + at[ld] + at[-1] + at[1] - source(i, j)) / 4;
                *at += e.omega * (own - *at);
            }
    double scale = 0;
    for (const double v : u) scale = std::max(scale, std::abs(v));
    apps::comparison result{tolerance};
    const auto got = skelrt::host_read(values);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            result.add(got(i, j), u[(i + 1) * ld + j + 1], scale,
                       [&] { return fmt::format("row {}, column {}", i, j); });
    return result;
}

} // namespace sor
