// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include <utility>

namespace heat
{

std::vector<double> plain_steps(std::vector<double> u, const extents& n, bool plate, std::size_t steps, double alpha)
{
    std::vector<double> next(u.size());
    const std::size_t row = n[0], plane = n[0] * n[1];
    for (std::size_t k = 0; k < steps; ++k) {
        for (std::size_t z = 0, i = 0; z < n[2]; ++z)
            for (std::size_t y = 0; y < n[1]; ++y)
                for (std::size_t x = 0; x < n[0]; ++x, ++i) {
                    double around = 0; // the outside is cold
                    if (x > 0) around += u[i - 1];
                    if (x + 1 < n[0]) around += u[i + 1];
                    if (y > 0) around += u[i - row];
                    if (y + 1 < n[1]) around += u[i + row];
                    if (z > 0) around += u[i - plane];
                    if (z + 1 < n[2]) around += u[i + plane];
                    next[i] = u[i] + alpha * (around - (plate ? 4 : 6) * u[i]);
                }
        std::swap(u, next);
    }
    return u;
}

} // namespace heat
