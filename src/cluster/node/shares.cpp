// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/node/shares.hpp"

#include <algorithm>
#include <numeric>

namespace skelrt::detail
{

namespace
{

/// The k-th of n equal runs; with fewer cores than runs, neighbours share one.
core_list run_of(const core_list& cores, std::size_t k, std::size_t n)
{
    const std::size_t begin = k * cores.size() / n, end = std::max((k + 1) * cores.size() / n, begin + 1);
    return {cores.begin() + static_cast<std::ptrdiff_t>(begin), cores.begin() + static_cast<std::ptrdiff_t>(end)};
}

} // namespace

core_share share_of_cores(const std::vector<core_list>& may_use, std::size_t mine, int cores_of_node)
{
    const auto ranks = may_use.size();
    const auto is_single = [](const core_list& l) { return l.size() == 1; };
    if (static_cast<std::size_t>(cores_of_node) >= 2 * ranks && std::ranges::any_of(may_use, is_single)) {
        core_list all(static_cast<std::size_t>(cores_of_node));
        std::iota(all.begin(), all.end(), 0);
        return {run_of(all, mine, ranks), true};
    }
    const auto same = [&](const core_list& l) { return l == may_use[mine]; };
    const auto before = std::count_if(may_use.begin(), may_use.begin() + static_cast<std::ptrdiff_t>(mine), same);
    const auto all = std::ranges::count_if(may_use, same);
    return {run_of(may_use[mine], static_cast<std::size_t>(before), static_cast<std::size_t>(all)), false};
}

std::vector<std::string> share_of_gpus(const std::vector<std::string>& seen, std::size_t mine, std::size_t ranks)
{
    std::vector<std::string> taken;
    for (std::size_t k = mine; k < seen.size(); k += ranks) taken.push_back(seen[k]);
    return taken;
}

} // namespace skelrt::detail
