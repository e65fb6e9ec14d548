// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

/// Ranks of one node share its cores and GPUs out among themselves before StarPU starts.
namespace skelrt::detail
{

class peers;

using core_list = std::vector<int>; ///< cores of the node, counted from 0, ascending

struct core_share {
    core_list cores;
    bool widened = false;
};
/// The cores that rank `mine` of a node takes, by what each of its ranks may use. Ranks that may use the same cores get
/// equal runs of them; a rank that shares none keeps its own. Where the launcher leaves a rank one core of a node that
/// has two or more for each, all ranks take even shares of the node. Pure.
core_share share_of_cores(const std::vector<core_list>& may_use, std::size_t mine, int cores_of_node);

/// The GPUs that rank `mine` takes of those that all `ranks` of a node see: every ranks-th. Pure.
std::vector<std::string> share_of_gpus(const std::vector<std::string>& seen, std::size_t mine, std::size_t ranks);

/// All ranks of the node come here, before StarPU starts. Sets the process's CPU mask, and CUDA_VISIBLE_DEVICES where
/// ranks see the same GPUs.
void divide_node(peers& others);

} // namespace skelrt::detail
