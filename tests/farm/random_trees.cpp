// SPDX-License-Identifier: BSD-3-Clause
/// random_trees [count [first]]
///
/// Runs trees of farms, groups, pipelines, divisions and calls number first, first + 1, ... and compares what they
/// compute with sequential code. A number is a seed: the same tree in every run. Prints the figure random_trees: how
/// many came out right. If none ends for half a minute, it says which one hangs, and stops.

#include "tests/farm/random_tree.hpp"
#include "tests/watchdog.hpp"

#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <optional>
#include <random>
#include <ranges>
#include <span>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace sk = skelrt;

namespace
{

using namespace random_tree;

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

/// The children, one after the other.
auto source_of(const node& n)
{
    return sk::source([&n, next = std::size_t{0}]() mutable {
        return next < n.children.size() ? std::optional(&n.children[next++]) : std::nullopt;
    });
}

/// Children's values go through stages in containers. `value_of` may throw.
template <class F>
std::uint32_t run_stages(const node& n, F value_of)
{
    std::uint32_t total = 0, place = 0;
    auto stages =
        sk::pipeline(source_of(n),
                     sk::parallel(
                         [&](const node* child, std::stop_token stop) {
                             return sk::vector<std::uint32_t>(elements_of_token(*child), value_of(*child, stop));
                         },
                         static_cast<std::size_t>(n.value % 3)), // 0: no limit
                     sk::serial([](sk::vector<std::uint32_t> x) {
                         x = step(x, 1u);
                         return x;
                     }),
                     sk::parallel([](sk::vector<std::uint32_t> x) { return sk::scalar<std::uint32_t>(sum_of(x)); }),
                     sk::in_order([&](const sk::scalar<std::uint32_t>& s) { total += ++place * s.get(); }));
    stages.window(static_cast<std::size_t>(n.value % 5)); // 0: as usual
    try {
        stages();
    } catch (const sk::item_error&) {
        total += of_error;
    }
    return total;
}

using nodes = std::span<const node>;

/// Divides children until there is one.
template <class F>
auto division_of(F value_of)
{
    return sk::divide_and_conquer([](nodes children) { return children.size() < 2; },
                                  [](nodes children) {
                                      const std::size_t middle = middle_of(children);
                                      return std::array{children.first(middle), children.subspan(middle)};
                                  },
                                  [value_of](nodes children, std::stop_token stop) {
                                      return children.empty() ? 0u : value_of(children[0], stop);
                                  },
                                  [](nodes, std::span<std::uint32_t> both) { return merged(both[0], both[1]); });
}

/// Divides as far as what was learnt says; throws if a child does.
std::uint32_t run_cut_off(const node& n)
{
    const auto cut = sk::divide_and_conquer(
        sk::size_of([](nodes children) { return children.size(); }),
        [](nodes children) {
            const std::size_t middle = middle_of(children);
            return std::vector{children.first(middle), children.subspan(middle)};
        },
        [](nodes children, std::stop_token stop) {
            std::uint32_t total = 0;
            for (const node& child : children) total += run(child, stop);
            return total;
        },
        [](std::span<std::uint32_t> both) { return both[0] + both[1]; });
    return cut(nodes(n.children));
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
template <class Future>
void cancel(const node& n, const Future& running)
{
    if (n.value % 2 == 0) std::this_thread::yield();
    running.cancel();
    try {
        running.get();
    } catch (const sk::error&) {
    }
}
void run_cancelled(const node& n)
{
    if (n.value % 3 == 0) return cancel(n, runs.start(n.children));
    if (n.value % 3 == 1) return cancel(n, division_of(run).start(nodes(n.children)));
    const auto stages = sk::pipeline(
        source_of(n), sk::parallel([](const node* child, std::stop_token stop) { return run(*child, stop); }),
        sk::in_order([](std::uint32_t) {}));
    cancel(n, stages.start());
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
    case what::pipeline:
        total += run_stages(n, run_and_count);
        break;
    case what::torn_pipeline:
        total += run_stages(n, run);
        break;
    case what::divide:
        total += division_of(run_and_count)(nodes(n.children));
        break;
    case what::cut_off:
        total += run_cut_off(n);
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
