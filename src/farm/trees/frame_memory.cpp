// SPDX-License-Identifier: BSD-3-Clause
#include "src/farm/trees/frame_memory.hpp"

#include <algorithm>

namespace skelrt::detail
{

namespace
{

std::size_t rounded_up(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }

} // namespace

frame_memory::frame_memory(tree_source::room frame)
    : alignment_(std::max(frame.alignment, alignof(std::max_align_t))), size_(rounded_up(frame.size, alignment_))
{
}

void frame_memory::refill()
{
    constexpr std::size_t largest_chunk = 1 << 16;
    if ((free_ = from_afar_.exchange(nullptr, std::memory_order_acquire))) return;
    const std::align_val_t alignment{alignment_};
    chunks_.emplace_back(static_cast<std::byte*>(::operator new(blocks_* size_, alignment)), freed{alignment});
    for (std::size_t k = blocks_; k-- > 0;) give_back(chunks_.back().get() + k * size_);
    if (2 * blocks_ * size_ <= largest_chunk) blocks_ *= 2;
}

} // namespace skelrt::detail
