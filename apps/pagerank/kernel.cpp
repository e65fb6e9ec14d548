// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"

#include <vector>

namespace pagerank
{
namespace
{

namespace sk = skelrt;

// The problem.
const auto draw_edge = sk::map(SKELRT_FN((sk::random r, unsigned scale) {
    edge e{0, 0};
    for (unsigned bit = 0; bit < scale; ++bit) {
        float part = r.uniform();
        e.source = 2u * e.source + (part >= 0.76f ? 1u : 0u);
        e.target = 2u * e.target + (part >= 0.95f || (part >= 0.57f && part < 0.76f) ? 1u : 0u);
    }
    return e;
}));

// The computation.
const auto total = sk::reduce(sk::plus, 0.0f);

} // namespace

// The problem.
edges random_edges(unsigned scale, std::size_t count)
{
    return draw_edge(sk::shape(count), sk::random_seed{1998}, scale);
}

// The computation.
graph::graph(std::size_t vertices, const edges& all)
{
    const auto edges = sk::host_read(all);
    std::vector<float> links(vertices, 0.0f);
    for (const edge& e : edges) ++links[e.source];
    std::vector<sk::triplet<float>> entries;
    for (const edge& e : edges) entries.push_back({e.target, e.source, 1 / links[e.source]});
    matrix_ = sk::csr<float>(vertices, vertices, entries);
    links_ = sk::vector<float>(links.begin(), links.end());
}

sk::vector<float> graph::ranks(std::size_t iterations, float damping) const
{
    const auto n = static_cast<float>(links_.size());
    sk::vector<float> rank(links_.size(), 1 / n);
    for (std::size_t i = 0; i < iterations; ++i)
        rank = (1 - damping) / n + damping * (matrix_ * rank + total(sk::where(links_ > 0.0f, 0.0f, rank)) / n);
    return rank;
}

} // namespace pagerank
