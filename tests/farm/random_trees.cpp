// SPDX-License-Identifier: BSD-3-Clause
/// random_trees [count [first]]
///
/// Runs trees of farms, groups and calls number first, first + 1, ... and compares what they compute with sequential
/// code. A number is a seed: the same tree in every run. Prints the figure random_trees: how many came out right. If
/// none ends for half a minute, it says which one hangs, and stops.

#include "tests/watchdog.hpp"

#include <skelrt/farm.hpp>
#include <skelrt/group.hpp>
#include <skelrt/skelrt.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <random>
#include <ranges>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace sk = skelrt;

namespace
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
    stopping,
    cancelled,
    count
};

/// A tree: what a node does with what its children give.
struct node {
    what kind = what::number;
    int value = 0;
    bool throws = false; ///< after its work; who has the farm around it counts that as 1
    std::vector<node> children;
};

node draw(std::mt19937& random, int depth)
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
std::uint32_t counted(outcome o) { return o.throws ? of_error : o.value; }

// ---- sequentially -------------------------------------------------------------------------------------------------

std::size_t elements_of(const node& n)
{
    return static_cast<std::size_t>(n.value % 7 == 0 ? 20'000 + n.value : n.value);
}

std::uint32_t calls_by_hand(const node& n)
{
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < elements_of(n); ++i) {
        auto x = static_cast<std::uint32_t>(i);
        for (int k = 0; k < 3; ++k) x = x * 3 + static_cast<std::uint32_t>(n.value);
        sum += x;
    }
    return sum;
}

outcome expected(const node& n)
{
    std::uint32_t sum = static_cast<std::uint32_t>(n.value), place = 0;
    bool fails = n.throws;
    for (const node& child : n.children) {
        const outcome o = expected(child);
        // A farm throws if an item does; the others count errors.
        const bool rethrows =
            n.kind == what::farm || n.kind == what::started || n.kind == what::group || n.kind == what::pair;
        fails = fails || (rethrows && o.throws);
        sum += counted(o) * (n.kind == what::each ? ++place : 1);
    }
    if (n.kind == what::calls) sum += calls_by_hand(n);
    if (n.kind == what::stopping || n.kind == what::cancelled) sum = static_cast<std::uint32_t>(n.value);
    return {sum, fails};
}

// ---- with farms ---------------------------------------------------------------------------------------------------

const auto step = sk::map(SKELRT_FN((std::uint32_t x, std::uint32_t k) { return x * 3 + k; }));
const auto from_place = sk::generate(SKELRT_FN((sk::index1 p) { return (unsigned)p.i; }));
const auto sum_of = sk::reduce(sk::plus, 0u);

std::uint32_t run(const node& n, std::stop_token stop);

std::uint32_t run_calls(const node& n)
{
    sk::vector<std::uint32_t> x(elements_of(n));
    if (x.size() > 0) x = from_place(sk::shape(x.size()));
    for (int k = 0; k < 3; ++k) x = step(x, static_cast<std::uint32_t>(n.value));
    return std::uint32_t(sum_of(x));
}

/// Its value; an error counts as one.
std::uint32_t run_and_count(const node& n, const std::stop_token& stop)
{
    try {
        return run(n, stop);
    } catch (const sk::cancelled&) {
        throw;
    } catch (const std::exception&) {
        return of_error;
    }
}

std::uint32_t sum(const std::vector<std::uint32_t>& all)
{
    std::uint32_t total = 0;
    for (const std::uint32_t v : all) total += v;
    return total;
}

const auto runs = sk::farm([](const node& child, std::stop_token stop) { return run(child, stop); });
const auto counts = sk::farm([](const node& child, std::stop_token stop) { return run_and_count(child, stop); });

std::uint32_t run_each(const node& n)
{
    std::uint32_t total = 0, place = 0;
    auto few = counts;
    few.window(1 + static_cast<std::size_t>(n.value % 5));
    few.each(n.children, [&](std::size_t, std::uint32_t v) { total += v * ++place; });
    return total;
}

std::uint32_t run_any_order(const node& n)
{
    std::uint32_t total = 0;
    auto any = counts;
    any.in_any_order().each(n.children | std::views::filter([](const node&) { return true; }),
                            [&](std::size_t, std::uint32_t v) { total += v; });
    return total;
}

std::uint32_t run_group(const node& n)
{
    sk::group g("of a tree");
    std::vector<sk::future<std::uint32_t>> all;
    for (const node& child : n.children) all.push_back(g.run([&](std::stop_token stop) { return run(child, stop); }));
    g.wait();
    std::uint32_t total = 0;
    for (const auto& f : all) total += f.get();
    return total;
}

std::uint32_t run_pair(const node& n)
{
    const auto [a, b] = sk::farm([&](std::stop_token stop) { return run(n.children[0], stop); },
                                 [&](std::stop_token stop) { return run(n.children[1], stop); })();
    return a + b;
}

/// Whatever comes of the children: they may be half done.
void run_stopping(const node& n)
{
    auto first = runs;
    try {
        first.stop_on_error()(n.children);
    } catch (const sk::error&) {
    }
}
void run_cancelled(const node& n)
{
    const auto running = runs.start(n.children);
    if (n.value % 2 == 0) std::this_thread::yield();
    running.cancel();
    try {
        running.get();
    } catch (const sk::error&) {
    }
}

std::uint32_t run(const node& n, std::stop_token)
{
    std::uint32_t total = static_cast<std::uint32_t>(n.value);
    switch (n.kind) {
    case what::number:
        break;
    case what::calls:
        total += run_calls(n);
        break;
    case what::farm:
        total += sum(runs(n.children));
        break;
    case what::started:
        total += sum(runs.start(n.children).get());
        break;
    case what::each:
        total += run_each(n);
        break;
    case what::any_order:
        total += run_any_order(n);
        break;
    case what::group:
        total += run_group(n);
        break;
    case what::pair:
        total += run_pair(n);
        break;
    case what::stopping:
        run_stopping(n);
        break;
    case what::cancelled:
        run_cancelled(n);
        break;
    case what::count:
        break;
    }
    if (n.throws) throw std::runtime_error("node " + std::to_string(n.value));
    return total;
}

// ---- all of them --------------------------------------------------------------------------------------------------

bool comes_out_right(unsigned seed)
{
    std::mt19937 random(seed);
    const node tree = draw(random, 1 + static_cast<int>(seed % 7));
    const outcome right = expected(tree);
    try {
        const std::uint32_t got = run(tree, {});
        if (!right.throws && got == right.value) return true;
        std::printf("tree %u: %u instead of %s%u\n", seed, got, right.throws ? "an error, or " : "", right.value);
    } catch (const std::exception& e) {
        if (right.throws) return true;
        std::printf("tree %u: threw: %s\n", seed, e.what());
    }
    return false;
}

} // namespace

int main(int argc, char** argv)
{
    const auto count = static_cast<unsigned>(argc > 1 ? std::atoi(argv[1]) : 1000),
               first = static_cast<unsigned>(argc > 2 ? std::atoi(argv[2]) : 0);
    constexpr unsigned restart = 200; // trees a runtime
    unsigned right = 0;
    watchdog dog;
    for (unsigned k = 0; k < count;) {
        const sk::runtime rt;
        for (unsigned end = std::min(count, k + restart); k < end; ++k) {
            dog.begins(first + k);
            right += comes_out_right(first + k);
        }
    }
    std::printf("figure: random_trees %u\n", right);
    return right == count ? 0 : 1;
}
