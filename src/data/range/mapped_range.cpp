// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/range/mapped_range.hpp"

#include <utility>

namespace skelrt::detail
{

mapped_range::mapped_range(std::unique_ptr<page_source> from, std::size_t bytes, std::size_t tile_bytes)
    : from_(std::move(from)), blocks_(bytes, tile_bytes, from_->page_bytes()), of_block_(blocks_.count())
{
}

mapped_range::~mapped_range()
{
    for (std::size_t b = 0; b < of_block_.size(); ++b) withdraw(b);
    if (begin_ != 0) from_->leave(begin_, blocks_.bytes());
}

std::uintptr_t mapped_range::take(std::size_t tile) noexcept
{
    if (begin_ == 0) begin_ = from_->reserve(blocks_.bytes());
    if (begin_ == 0) return 0;
    const std::size_t first = blocks_.first_of(tile), end = blocks_.end_of(tile);
    for (std::size_t b = first; b < end; ++b) {
        if (!provide(b)) {
            let_go(first, b, unused_pages::go);
            return 0;
        }
        ++of_block_[b].tiles;
    }
    return begin_ + blocks_.tile_begin(tile);
}

void mapped_range::give_back(std::size_t tile, unused_pages how) noexcept
{
    let_go(blocks_.first_of(tile), blocks_.end_of(tile), how);
}

void mapped_range::let_go(std::size_t first, std::size_t end, unused_pages how) noexcept
{
    for (std::size_t b = first; b < end; ++b)
        if (--of_block_[b].tiles == 0 && how == unused_pages::go) withdraw(b);
}

std::size_t mapped_range::unused_bytes() const noexcept
{
    std::size_t bytes = 0;
    for (std::size_t b = 0; b < of_block_.size(); ++b)
        if (is_unused(b)) bytes += blocks_.block(b).bytes;
    return bytes;
}

std::size_t mapped_range::drop_unused() noexcept
{
    const std::size_t bytes = unused_bytes();
    for (std::size_t b = 0; b < of_block_.size(); ++b)
        if (is_unused(b)) withdraw(b);
    return bytes;
}

bool mapped_range::provide(std::size_t b) noexcept
{
    if (of_block_[b].memory) return true;
    const page_block where = blocks_.block(b);
    const std::optional<std::uint64_t> memory = from_->create(where.bytes);
    if (!memory) return false;
    if (from_->map(begin_ + where.begin, where.bytes, *memory)) {
        of_block_[b].memory = memory;
        return true;
    }
    from_->release(*memory, where.bytes);
    return false;
}

void mapped_range::withdraw(std::size_t b) noexcept
{
    const std::optional<std::uint64_t> memory = std::exchange(of_block_[b].memory, {});
    if (!memory) return;
    const page_block where = blocks_.block(b);
    from_->unmap(begin_ + where.begin, where.bytes);
    from_->release(*memory, where.bytes);
}

} // namespace skelrt::detail
