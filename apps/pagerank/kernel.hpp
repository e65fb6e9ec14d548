// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/skelrt.hpp>

#include <cstddef>
#include <vector>

namespace pagerank
{

/// An edge as one number: its target above, its source below.
using edges = skelrt::vector<unsigned long>;
constexpr unsigned long edge(unsigned source, unsigned target)
{
    return static_cast<unsigned long>(target) << 32 | source;
}

/// 2^scale vertices with random edges, of which few vertices have many: R-MAT with 0.57, 0.19, 0.19, 0.05 (Chakrabarti,
/// Zhan and Faloutsos, SDM 2004).
edges random_edges(unsigned scale, std::size_t count);

/// A directed graph by targets: who links to each vertex. Made of its edges by a sort, two counts and a scan.
class graph
{
public:
    graph(std::size_t vertices, const edges& all);
    /// The ranks after so many power iterations from equal ones; what vertices without links have goes to all.
    /// Asynchronous.
    skelrt::vector<float> ranks(std::size_t iterations, float damping) const;
    std::size_t vertices() const { return first_.size(); }

private:
    skelrt::vector<unsigned> first_, linked_by_, links_; ///< of a vertex: its first source, their number, its targets
    skelrt::vector<unsigned> sources_;
};

/// A vertex and its rank.
struct ranked {
    unsigned vertex;
    float rank;
};
/// Those of the highest ranks, in descending order.
std::vector<ranked> highest(const skelrt::vector<float>& ranks, std::size_t count);

} // namespace pagerank
