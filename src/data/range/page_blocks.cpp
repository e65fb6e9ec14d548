// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/range/page_blocks.hpp"

#include <algorithm>

namespace skelrt::detail
{

page_blocks::page_blocks(std::size_t bytes, std::size_t tile_bytes, std::size_t page)
    : bytes_(bytes), tile_bytes_(tile_bytes), page_(page)
{
    const std::size_t tiles = (bytes + tile_bytes - 1) / tile_bytes;
    for (std::size_t t = 0; t < tiles; ++t) {
        cuts_.push_back(first_page(t));
        cuts_.push_back(end_page(t));
    }
    std::ranges::sort(cuts_);
    const auto twice = std::ranges::unique(cuts_);
    cuts_.erase(twice.begin(), twice.end());
}

std::size_t page_blocks::end_page(std::size_t tile) const noexcept
{
    return (std::min(bytes_, (tile + 1) * tile_bytes_) + page_ - 1) / page_;
}

std::size_t page_blocks::first_of(std::size_t tile) const noexcept
{
    return static_cast<std::size_t>(std::ranges::lower_bound(cuts_, first_page(tile)) - cuts_.begin());
}

std::size_t page_blocks::end_of(std::size_t tile) const noexcept
{
    return static_cast<std::size_t>(std::ranges::lower_bound(cuts_, end_page(tile)) - cuts_.begin());
}

} // namespace skelrt::detail
