// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/items/trees.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace skelrt::detail
{

/// Memory for frames of one size, which is used again and again: one thread at a time takes and gives back, others may
/// only give back.
class frame_memory
{
public:
    explicit frame_memory(tree_source::room frame);

    /// Room for a frame; the same until it is taken.
    void* next()
    {
        if (!next_) {
            if (!free_) refill();
            next_ = std::exchange(free_, free_->next);
        }
        return next_;
    }
    void take() noexcept { next_ = nullptr; }
    /// Nothing of the frame is there any more.
    void give_back(void* frame) noexcept { free_ = ::new (frame) block{free_}; }
    /// By another thread.
    void give_back_from_afar(void* frame) noexcept
    {
        auto* const b = ::new (frame) block{from_afar_.load(std::memory_order_relaxed)};
        while (!from_afar_.compare_exchange_weak(b->next, b, std::memory_order_release, std::memory_order_relaxed)) {}
    }

private:
    struct block {
        block* next;
    };
    struct freed {
        std::align_val_t alignment;
        void operator()(std::byte* chunk) const noexcept { ::operator delete(chunk, alignment); }
    };
    void refill();

    const std::size_t alignment_, size_;
    std::size_t blocks_ = 8; ///< in the next chunk
    void* next_ = nullptr;   ///< no block any more: a frame may have begun to be there
    block* free_ = nullptr;
    std::vector<std::unique_ptr<std::byte, freed>> chunks_;
    alignas(64) std::atomic<block*> from_afar_{nullptr};
};

} // namespace skelrt::detail
