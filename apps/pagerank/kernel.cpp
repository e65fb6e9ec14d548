// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"

#include <algorithm>

namespace pagerank
{
namespace
{

namespace sk = skelrt;

const auto draw_edge = sk::map(SKELRT_FN((sk::random r, unsigned scale) {
    unsigned source = 0, target = 0;
    for (unsigned bit = 0; bit < scale; ++bit) {
        float part = r.uniform();
        unsigned low = part >= 0.76f ? 1u : 0u, right = part >= 0.95f || (part >= 0.57f && part < 0.76f) ? 1u : 0u;
        source = 2u * source + low;
        target = 2u * target + right;
    }
    return ((unsigned long)target << 32) | source;
}));

const auto source_of = sk::map(SKELRT_FN((unsigned long edge) { return (unsigned)(edge & 0xffffffffUL); }));
const auto target_of = sk::map(SKELRT_FN((unsigned long edge) { return (unsigned)(edge >> 32); }));
const auto count = sk::for_each(SKELRT_FN((unsigned at, sk::accumulator<unsigned> counts) { counts.add(at, 1u); }));

const auto share_of =
    sk::map(SKELRT_FN((float rank, unsigned links) { return links > 0 ? rank / (float)links : 0.0f; }));
const auto stranded = sk::map(SKELRT_FN((float rank, unsigned links) { return links > 0 ? 0.0f : rank; }));
const auto collect = sk::map(SKELRT_FN((unsigned first, unsigned count, sk::vec<unsigned> sources,
                                        sk::vec<float> shares, float lost, float damping, float vertices) {
    float sum = 0.0f;
    for (unsigned k = 0; k < count; ++k) sum += shares[sources[first + k]];
    return (1.0f - damping) / vertices + damping * (sum + lost / vertices);
}));
const auto total = sk::reduce(sk::plus, 0.0f);
const auto number = sk::generate(SKELRT_FN((sk::index1 at) { return (unsigned)at.i; }));
const auto negate = sk::map(sk::negate);

} // namespace

edges random_edges(unsigned scale, std::size_t count)
{
    return draw_edge(sk::shape(count), sk::random_seed{1998}, scale);
}

graph::graph(std::size_t vertices, const edges& all) : linked_by_(vertices, 0u), links_(vertices, 0u)
{
    const edges sorted = sk::sort(all);
    sources_ = source_of(sorted);
    count(target_of(sorted), linked_by_);
    count(sources_, links_);
    first_ = sk::exclusive_scan(sk::plus, 0u)(linked_by_);
}

sk::vector<float> graph::ranks(std::size_t iterations, float damping) const
{
    const auto n = static_cast<float>(vertices());
    sk::vector<float> rank(vertices(), 1 / n), share;
    for (std::size_t i = 0; i < iterations; ++i) {
        const sk::scalar<float> lost = total(stranded(rank, links_));
        share = share_of(rank, links_);
        rank = collect(first_, linked_by_, sources_, share, lost, damping, n);
    }
    return rank;
}

std::vector<ranked> highest(const sk::vector<float>& ranks, std::size_t count)
{
    sk::vector<float> keys = negate(ranks);
    sk::vector<unsigned> vertices = number(sk::shape(ranks.size()));
    sk::sort_by_key(keys, vertices);
    const auto rank = sk::host_read(keys);
    const auto vertex = sk::host_read(vertices);
    std::vector<ranked> result;
    for (std::size_t i = 0; i < std::min(count, ranks.size()); ++i) result.push_back({vertex[i], -rank[i]});
    return result;
}

} // namespace pagerank
