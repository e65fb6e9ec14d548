// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/algorithms.hpp>
#include <skelrt/skelrt.hpp>

#include <cstddef>

namespace pagerank
{

// For both programs.
// What the devices see.
SKELRT_SHARED(struct edge { unsigned source, target; };)

using edges = skelrt::vector<edge>;

/// 2^scale vertices with random edges, of which few vertices have many: R-MAT with 0.57, 0.19, 0.19, 0.05 (Chakrabarti,
/// Zhan and Faloutsos, SDM 2004).
edges random_edges(unsigned scale, std::size_t count);

// The computation.
/// A directed graph as a sparse matrix: a row has the vertices that link to its own, each with one over its links.
class graph
{
public:
    graph(std::size_t vertices, const edges& all);
    /// The ranks after so many power iterations from equal ones; those without links give to all. Asynchronous.
    skelrt::vector<float> ranks(std::size_t iterations, float damping) const;

private:
    skelrt::csr<float> matrix_;
    skelrt::vector<float> links_; ///< of each vertex
};

} // namespace pagerank
