// SPDX-License-Identifier: BSD-3-Clause
#include "src/farm/trees/node_deque.hpp"

namespace skelrt::detail
{

node_deque::node_deque()
{
    constexpr std::int64_t first_size = 64;
    rings_.push_back(std::make_unique<ring>(first_size));
    ring_ = rings_.back().get();
}

void node_deque::push(tree_node* node)
{
    const std::int64_t bottom = bottom_.load(std::memory_order_relaxed);
    ring* r = ring_.load(std::memory_order_relaxed);
    if (bottom - known_top_ >= r->size()) {
        known_top_ = top_.load(std::memory_order_acquire);
        if (bottom - known_top_ >= r->size()) grow(known_top_, bottom);
        r = ring_.load(std::memory_order_relaxed);
    }
    r->put(bottom, node);
    bottom_.store(bottom + 1, std::memory_order_release);
}

void node_deque::grow(std::int64_t top, std::int64_t bottom)
{
    const ring& old = *rings_.back();
    rings_.push_back(std::make_unique<ring>(2 * old.size()));
    ring& larger = *rings_.back();
    for (std::int64_t k = top; k < bottom; ++k) larger.put(k, old.get(k));
    ring_.store(&larger, std::memory_order_release);
}

tree_node* node_deque::pop() noexcept
{
    const std::int64_t last = bottom_.load(std::memory_order_relaxed) - 1;
    if (top_.load(std::memory_order_relaxed) > last) return nullptr; // it only grows
    bottom_.store(last);                                             // thieves see it, or this thread sees theirs
    std::int64_t top = top_.load();
    tree_node* node = top <= last ? ring_.load(std::memory_order_relaxed)->get(last) : nullptr;
    if (top < last) return node;
    if (top == last && !top_.compare_exchange_strong(top, top + 1)) node = nullptr; // a thief had the last one
    bottom_.store(last + 1, std::memory_order_release);
    return node;
}

tree_node* node_deque::steal() noexcept
{
    std::int64_t top = top_.load();
    if (top >= bottom_.load()) return nullptr;
    tree_node* const node = ring_.load(std::memory_order_acquire)->get(top);
    return top_.compare_exchange_strong(top, top + 1) ? node : nullptr;
}

} // namespace skelrt::detail
