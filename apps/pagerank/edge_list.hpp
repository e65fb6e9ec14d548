// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

#include <filesystem>

namespace pagerank
{

struct edge_list {
    std::size_t vertices;
    edges all;
};

/// Lines of two numbers from 1, source and target; lines that begin with # are comments. Throws input_error with the
/// place of what is wrong.
edge_list read_edges(const std::filesystem::path& file, bool both_ways);

} // namespace pagerank
