// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

/// Trees of farms, pipelines and the like as data, and what they compute, by sequential code.
namespace random_tree
{

enum class what : std::uint8_t {
    number,
    calls,
    farm,
    started,
    each,
    any_order,
    group,
    pair,
    pipeline,
    torn_pipeline,
    divide,
    cut_off,
    stopping,
    cancelled,
    count
};

/// What a node does with what its children give.
struct node {
    what kind = what::number;
    int value = 0;
    bool throws = false; ///< after its work; who has the farm around it counts that as 1
    std::vector<node> children;
};

inline node draw(std::mt19937& random, int depth)
{
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    node made;
    made.value = below(1000);
    made.kind = static_cast<what>(depth == 0 ? below(2) : below(static_cast<int>(what::count)));
    made.throws = below(12) == 0;
    if (depth > 0 && made.kind > what::calls)
        for (int n = made.kind == what::pair ? 2 : below(6); n > 0; --n)
            made.children.push_back(draw(random, depth - 1));
    return made;
}

/// The value of a node, or that it throws.
struct outcome {
    std::uint32_t value;
    bool throws = false;
};

constexpr std::uint32_t of_error = 1;
inline std::uint32_t counted(outcome o) { return o.throws ? of_error : o.value; }

inline std::size_t elements_of(const node& n)
{
    return static_cast<std::size_t>(n.value % 7 == 0 ? 20'000 + n.value : n.value);
}

inline std::uint32_t calls_by_hand(const node& n)
{
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < elements_of(n); ++i) {
        auto x = static_cast<std::uint32_t>(i);
        for (int k = 0; k < 3; ++k) x = x * 3 + static_cast<std::uint32_t>(n.value);
        sum += x;
    }
    return sum;
}

/// How many elements a child's container has in a pipeline; each is the child's value until the stages change it.
inline std::size_t elements_of_token(const node& child) { return 1 + static_cast<std::size_t>(child.value % 97); }
inline std::uint32_t after_stages(const node& child, std::uint32_t value)
{
    return static_cast<std::uint32_t>(elements_of_token(child)) * (value * 3 + 1);
}

/// Where the children of a division are split, of two or more.
inline std::size_t middle_of(std::span<const node> children)
{
    return 1 + static_cast<std::size_t>(children[0].value) % (children.size() - 1);
}
/// Of both parts' results: their order matters.
inline std::uint32_t merged(std::uint32_t left, std::uint32_t right) { return left * 5 + right; }

outcome expected(const node& n);

inline std::uint32_t expected_of_pipeline(const node& n)
{
    std::uint32_t sum = 0, place = 0;
    for (const node& child : n.children) {
        const outcome o = expected(child);
        if (o.throws && n.kind == what::torn_pipeline) return sum + of_error; // those behind it are dropped
        sum += ++place * after_stages(child, counted(o));
    }
    return sum;
}

inline std::uint32_t expected_of_division(std::span<const node> children)
{
    if (children.empty()) return 0;
    if (children.size() == 1) return counted(expected(children[0]));
    const std::size_t middle = middle_of(children);
    return merged(expected_of_division(children.first(middle)), expected_of_division(children.subspan(middle)));
}

inline outcome expected(const node& n)
{
    std::uint32_t sum = static_cast<std::uint32_t>(n.value), place = 0;
    bool fails = n.throws;
    for (const node& child : n.children) {
        const outcome o = expected(child);
        // A farm throws if an item does; the others count errors.
        const bool rethrows = n.kind == what::farm || n.kind == what::started || n.kind == what::group ||
                              n.kind == what::pair || n.kind == what::cut_off;
        fails = fails || (rethrows && o.throws);
        sum += counted(o) * (n.kind == what::each ? ++place : 1);
    }
    const auto own = static_cast<std::uint32_t>(n.value);
    if (n.kind == what::calls) sum += calls_by_hand(n);
    if (n.kind == what::pipeline || n.kind == what::torn_pipeline) sum = own + expected_of_pipeline(n);
    if (n.kind == what::divide) sum = own + expected_of_division(n.children);
    if (n.kind == what::stopping || n.kind == what::cancelled) sum = own;
    return {sum, fails};
}

} // namespace random_tree
