// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

namespace skelrt::detail
{

/// Bytes of a range, from its start on: whole pages.
struct page_block {
    std::size_t begin, bytes;
};

/// The pages of a range in which tiles follow each other, cut into blocks: pages in which the same tiles lie. Tiles end
/// anywhere, so one may share its first and its last page with others, and those come and go by themselves. Pure.
class page_blocks
{
public:
    page_blocks(std::size_t bytes, std::size_t tile_bytes, std::size_t page);

    std::size_t count() const noexcept { return cuts_.size() - 1; }
    page_block block(std::size_t number) const noexcept
    {
        return {cuts_[number] * page_, (cuts_[number + 1] - cuts_[number]) * page_};
    }
    /// Those that tile t lies in.
    std::size_t first_of(std::size_t tile) const noexcept;
    std::size_t end_of(std::size_t tile) const noexcept;

    std::size_t tile_begin(std::size_t tile) const noexcept { return tile * tile_bytes_; }
    /// Of the whole range.
    std::size_t bytes() const noexcept { return cuts_.back() * page_; }

private:
    std::size_t first_page(std::size_t tile) const noexcept { return tile * tile_bytes_ / page_; }
    std::size_t end_page(std::size_t tile) const noexcept;

    std::size_t bytes_, tile_bytes_, page_;
    std::vector<std::size_t> cuts_; ///< pages that blocks begin with, and the end
};

} // namespace skelrt::detail
