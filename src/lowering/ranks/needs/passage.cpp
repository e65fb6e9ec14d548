// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/needs/passage.hpp"

#include "src/lowering/ranks/needs/pieces.hpp"

namespace skelrt::detail
{

passage passage_of(unsigned ranks, const grid_of_rank& held, const grid_of_rank& wanted, unsigned rank)
{
    passage x;
    std::vector<placed_piece> pieces;
    const element_grid mine = held(rank), needs = wanted(rank);
    add_pieces(pieces, passage::own, common_elements(mine, needs));
    for (unsigned other = 0; other < ranks; ++other) {
        if (other == rank) continue;
        if (const std::size_t n = add_pieces(pieces, x.in.size(), common_elements(held(other), needs)); n > 0)
            x.in.push_back({other, n});
        position_runs sent;
        for (const numbered_run& r : common_elements(mine, wanted(other))) sent.push_back({r.in_one, r.count});
        if (!sent.empty()) x.out.push_back({other, std::move(sent)});
    }
    x.pieces = ascending(std::move(pieces));
    return x;
}

passage passage_here(const element_grid& held, const element_grid& wanted)
{
    passage x;
    for (const numbered_run& r : common_elements(held, wanted)) x.pieces.push_back({passage::own, r.in_one, r.count});
    return x;
}

} // namespace skelrt::detail
