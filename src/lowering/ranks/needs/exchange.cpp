// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/needs/exchange.hpp"

#include <algorithm>

namespace skelrt::detail
{

namespace
{

/// Of these runs what lies in a block.
void add_pieces(std::vector<rank_piece>& to, unsigned rank, const std::vector<position_run>& runs,
                const position_run& block)
{
    for (const position_run& run : runs) {
        const std::size_t first = std::max(run.first, block.first), end = std::min(run.end(), block.end());
        if (first < end) to.push_back({rank, {first, end - first}});
    }
}

} // namespace

exchange exchange_of(unsigned ranks, const held_elements& held, const wanted_elements& wanted, unsigned rank)
{
    exchange x;
    const std::vector<position_run> mine = wanted(rank);
    for (unsigned other = 0; other < ranks; ++other) {
        if (other == rank) continue;
        add_pieces(x.in, other, mine, held(other));
        add_pieces(x.out, other, wanted(other), held(rank));
    }
    return x;
}

std::vector<position_run> ascending(std::vector<position_run> runs)
{
    std::erase_if(runs, [](const position_run& r) { return r.count == 0; });
    std::ranges::sort(runs, {}, &position_run::first);
    std::vector<position_run> all;
    for (const position_run& r : runs) {
        if (all.empty() || r.first > all.back().end()) all.push_back(r);
        else all.back().count = std::max(all.back().end(), r.end()) - all.back().first;
    }
    return all;
}

} // namespace skelrt::detail
