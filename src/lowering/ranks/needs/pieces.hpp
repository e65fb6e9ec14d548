// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/parting/element_grid.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

/// How wanted elements are put together of those that lie here and those that come. Pure.
namespace skelrt::detail
{

/// The next elements that are wanted: from that message's `first` on, or of what this rank holds (own).
struct element_piece {
    static constexpr std::size_t own = ~std::size_t{0};
    std::size_t message, first, count;
};

/// A piece, and the first of the wanted elements that it gives.
struct placed_piece {
    std::size_t at;
    element_piece what;
};

/// Those of a message, or of what is `own`, of which `n` elements are listed by the time it returns.
inline std::size_t add_pieces(std::vector<placed_piece>& to, std::size_t message,
                              const std::vector<numbered_run>& shared)
{
    std::size_t n = 0;
    for (const numbered_run& r : shared) {
        to.push_back({r.in_other, {message, message == element_piece::own ? r.in_one : n, r.count}});
        n += r.count;
    }
    return n;
}

inline std::vector<element_piece> ascending(std::vector<placed_piece> pieces)
{
    std::ranges::sort(pieces, {}, &placed_piece::at);
    std::vector<element_piece> all;
    all.reserve(pieces.size());
    for (const placed_piece& p : pieces) all.push_back(p.what);
    return all;
}

} // namespace skelrt::detail
