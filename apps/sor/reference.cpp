// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

namespace sor
{

std::vector<double> plain_sweeps(const equations& e, std::size_t sweeps)
{
    const auto source = skelrt::host_read(e.source);
    const std::size_t n = source.rows(), ld = n + 2; // with the edges, which stay 0
    std::vector<double> u(ld * ld, 0.0);
    for (std::size_t half = 0; half < 2 * sweeps; ++half)
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = (i + half) % 2; j < n; j += 2) {
                double* const at = &u[(i + 1) * ld + j + 1];
                const double own = (at[-static_cast<std::ptrdiff_t>(ld)] + at[ld] + at[-1] + at[1] - source(i, j)) / 4;
                *at += e.omega * (own - *at);
            }
    return apps::without_edges(u, n);
}

} // namespace sor
