// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/items/trees.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace skelrt::detail
{

/// Nodes that have not begun: the owner puts them in and takes the newest, others take the oldest. As Chase and Lev
/// have it, in memory orders like those of Le, Pop, Cohen and Zappa Nardelli, but without fences, of which thread
/// sanitizers know nothing. Owners may change, if each sees what the one before did.
class node_deque
{
public:
    node_deque();

    void push(tree_node* node);  ///< the owner's
    tree_node* pop() noexcept;   ///< the owner's; null: empty
    tree_node* steal() noexcept; ///< null: empty, or somebody else was faster
    bool is_empty() const noexcept { return top_.load() >= bottom_.load(); }

private:
    class ring
    {
    public:
        explicit ring(std::int64_t size) : mask_(size - 1), nodes_(std::make_unique<cell[]>(std::size_t(size))) {}
        std::int64_t size() const noexcept { return mask_ + 1; }
        tree_node* get(std::int64_t k) const noexcept { return at(k).load(std::memory_order_relaxed); }
        void put(std::int64_t k, tree_node* node) noexcept { at(k).store(node, std::memory_order_relaxed); }

    private:
        using cell = std::atomic<tree_node*>;
        cell& at(std::int64_t k) const noexcept { return nodes_[std::size_t(k & mask_)]; }
        std::int64_t mask_;
        std::unique_ptr<cell[]> nodes_;
    };
    void grow(std::int64_t top, std::int64_t bottom);

    alignas(64) std::atomic<std::int64_t> top_{0};
    alignas(64) std::atomic<std::int64_t> bottom_{0};
    std::int64_t known_top_ = 0; ///< the owner's: it is there or further
    std::atomic<ring*> ring_;
    std::vector<std::unique_ptr<ring>> rings_; ///< thieves may look into old ones
};

} // namespace skelrt::detail
