// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include <algorithm>
#include <utility>

namespace pagerank
{

std::vector<double> plain_ranks(std::size_t vertices, const edges& all, std::size_t iterations, double damping)
{
    const auto edges = skelrt::host_read(all);
    const auto n = static_cast<double>(vertices);
    std::vector<double> ranks(vertices, 1 / n), links(vertices), next(vertices);
    for (const edge& e : edges) ++links[e.source];
    for (std::size_t i = 0; i < iterations; ++i) {
        double lost = 0;
        for (std::size_t v = 0; v < vertices; ++v) lost += links[v] > 0 ? 0 : ranks[v];
        std::ranges::fill(next, (1 - damping) / n + damping * lost / n);
        for (const edge& e : edges) next[e.target] += damping * ranks[e.source] / links[e.source];
        std::swap(ranks, next);
    }
    return ranks;
}

} // namespace pagerank
