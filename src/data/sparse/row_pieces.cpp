// SPDX-License-Identifier: BSD-3-Clause
#include <skelrt/algorithms/csr.hpp>

#include <algorithm>
#include <limits>

namespace skelrt::detail
{
namespace
{

/// Pieces of a row of so many entries; an empty row has one.
std::size_t piece_count(std::uint64_t entries, std::uint64_t longest)
{
    return std::max<std::size_t>((entries + longest - 1) / longest, 1);
}

} // namespace

row_pieces pieces_of(const std::vector<std::uint64_t>& row_begin)
{
    constexpr std::uint64_t worth_cutting = 4096, parts = 4096; // of all entries: so many occupy any device
    const std::uint64_t longest = std::max(worth_cutting, (row_begin.back() + parts - 1) / parts);
    const std::size_t rows = row_begin.size() - 1;
    std::size_t pieces = 0;
    for (std::size_t r = 0; r < rows; ++r) pieces += piece_count(row_begin[r + 1] - row_begin[r], longest);
    if (pieces == rows || pieces > std::numeric_limits<std::uint32_t>::max()) return {};
    row_pieces made;
    for (std::size_t r = 0; r < rows; ++r) {
        made.first_piece.push_back(made.begin.size());
        const std::size_t count = piece_count(row_begin[r + 1] - row_begin[r], longest);
        for (std::size_t k = 0; k < count; ++k) made.begin.push_back(row_begin[r] + k * longest);
    }
    made.first_piece.push_back(made.begin.size());
    made.begin.push_back(row_begin.back());
    return made;
}

} // namespace skelrt::detail
