// SPDX-License-Identifier: BSD-3-Clause
#include "src/farm/trees/frame_memory.hpp"
#include "src/farm/trees/node_deque.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

/// What trees are made of: deques of nodes, and memory that is used again.

using namespace skelrt::detail;

TEST_CASE("a deque's owner takes the newest, others the oldest", "[farm][divide]")
{
    std::vector<tree_node> nodes(1000);
    node_deque d;
    CHECK(d.is_empty());
    CHECK(d.pop() == nullptr);
    CHECK(d.steal() == nullptr);
    for (tree_node& n : nodes) d.push(&n);
    CHECK(d.pop() == &nodes[999]);
    CHECK(d.steal() == &nodes[0]);
    CHECK(d.steal() == &nodes[1]);
    CHECK(d.pop() == &nodes[998]);
    while (d.pop()) {}
    CHECK(d.is_empty());
}

TEST_CASE("each node of a deque is somebody's, once", "[farm][divide]")
{
    constexpr std::size_t n = 50'000;
    std::vector<tree_node> nodes(n);
    std::vector<std::atomic<int>> taken(n);
    std::atomic<std::size_t> left{n};
    node_deque d;
    const auto take = [&](const tree_node* node) {
        if (!node) return;
        ++taken[static_cast<std::size_t>(node - nodes.data())];
        --left;
    };
    std::vector<std::thread> thieves;
    for (int t = 0; t < 2; ++t)
        thieves.emplace_back([&] {
            while (left > 0) take(d.steal());
        });
    for (std::size_t k = 0; k < n; ++k) {
        d.push(&nodes[k]);
        if (k % 3 == 0) take(d.pop());
    }
    while (left > 0) take(d.pop());
    for (std::thread& t : thieves) t.join();
    CHECK(std::ranges::all_of(taken, [](int times) { return times == 1; }));
}

TEST_CASE("memory of frames comes back, also from other threads", "[farm][divide]")
{
    frame_memory memory({.size = 24, .alignment = 64});
    const auto take = [&] {
        void* const frame = memory.next();
        CHECK(memory.next() == frame);
        memory.take();
        return frame;
    };
    std::vector<void*> frames;
    for (int k = 0; k < 100; ++k) frames.push_back(take());
    CHECK(std::ranges::all_of(frames, [](void* f) { return reinterpret_cast<std::uintptr_t>(f) % 64 == 0; }));
    void* const own = frames.back();
    memory.give_back(own);
    CHECK(take() == own);
    std::thread([&] {
        for (void* f : frames) memory.give_back_from_afar(f);
    }).join();
    std::vector<void*> again;
    for (int k = 0; k < 130; ++k) again.push_back(take()); // 20 of them never left
    std::ranges::sort(again);
    CHECK(std::ranges::adjacent_find(again) == again.end());
    CHECK(std::ranges::all_of(frames, [&](void* f) { return std::ranges::binary_search(again, f); }));
}
