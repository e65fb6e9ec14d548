// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include <utility>

namespace jacobi
{

std::vector<double> plain_steps(const grid& source, double h, std::size_t steps)
{
    const auto f = skelrt::host_read(source);
    const std::size_t n = source.rows(), ld = n + 2; // with the edges, which stay 0
    std::vector<double> u(ld * ld, 0.0), next(ld * ld, 0.0);
    for (std::size_t k = 0; k < steps; ++k) {
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                const std::size_t at = (i + 1) * ld + j + 1;
                next[at] = (u[at - ld] + u[at + ld] + u[at - 1] + u[at + 1] - h * h * f(i, j)) / 4;
            }
        std::swap(u, next);
    }
    return apps::without_edges(u, n);
}

} // namespace jacobi
