// SPDX-License-Identifier: BSD-3-Clause
#include <skelrt/detail/items/trees.hpp>

#include <skelrt/divide_and_conquer.hpp>
#include <skelrt/runtime.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <vector>

/// Which problems are split, as was learnt: as data, of made-up machines; and trees whose problems have sizes.

namespace sk = skelrt;
namespace
{

using sk::detail::tree_cut_off;

/// How long things take, in us: binary trees over n.
struct made_up_work {
    double solve_one, solve_log,
        split_one; ///< solve: n (solve_one + solve_log log2 n); a split and its merge: n split_one
    double solve(double n) const { return n * (solve_one + solve_log * std::log2(n)); }
    double split(double n) const { return n * split_one; }
};

/// All work of a tree, and its longest solved problem.
struct outcome {
    double us = 0, longest_us = 0;
};

/// `splits(n)` says which are split; `solved(n)` and `split(n, left, right)` hear of all.
template <class Splits, class Solved, class Split>
outcome run(const made_up_work& w, double n, const Splits& splits, const Solved& solved, const Split& split)
{
    if (n <= 1 || !splits(n)) {
        solved(n);
        return {w.solve(n), w.solve(n)};
    }
    const double third = std::max(1.0, std::floor(n / 3));
    const outcome left = run(w, third, splits, solved, split), right = run(w, n - third, splits, solved, split);
    split(n, third, n - third);
    return {w.split(n) + left.us + right.us, std::max(left.longest_us, right.longest_us)};
}

/// One core in ten loses its time slice while something is done.
class noise
{
public:
    double operator()(double us) { return random_() % 10 == 0 ? us + 4000 : us; }

private:
    std::mt19937 random_{1};
};

outcome run_learnt(tree_cut_off& c, const made_up_work& w, double n, unsigned cores, bool noisy = false)
{
    noise disturb;
    const auto seen = [&](double us) { return noisy ? disturb(us) : us; };
    return run(
        w, n, [&](double k) { return c.splits(k, n, cores); }, [&](double k) { c.note_solved(k, seen(w.solve(k))); },
        [&](double k, double left, double right) {
            c.note_split(k, seen(w.split(k)) + c.known_us(left).value_or(0) + c.known_us(right).value_or(0));
        });
}

/// The least work of trees whose problems of up to some size are solved, if those take some us.
double best_cut_off(const made_up_work& w, double n, double most)
{
    double best = std::numeric_limits<double>::infinity();
    double cut = 1;
    while (w.solve(cut) < 2.5) cut *= 2;
    for (; cut <= most; cut *= 2)
        best = std::min(best, run(
                                  w, n, [&](double k) { return k > cut; }, [](double) {}, [](double, double, double) {})
                                  .us);
    return best;
}

constexpr double million = 1 << 20;

} // namespace

TEST_CASE("trees come to the work of the best cut-off", "[cut off]")
{
    const made_up_work works[] = {
        {0.001, 0.002, 0.001},  // a split is less work than what solve does instead
        {0.001, 0.002, 0.01},   // it is more
        {0.02, 0, 0.0001},      // linear, and splits cost next to nothing
        {0.0001, 0.0001, 0.002} // short problems
    };
    for (const made_up_work& w : works)
        for (const unsigned cores : {1u, 2u, 16u}) {
            tree_cut_off c;
            outcome last;
            for (int k = 0; k < 8; ++k) last = run_learnt(c, w, million, cores);
            const double largest = cores == 1 ? million : million / (16 * cores);
            CHECK(last.us < 1.2 * best_cut_off(w, million, largest));
            if (cores > 1) CHECK(last.longest_us < w.solve(million) / (4 * cores));
        }
}

TEST_CASE("what loses its core now and then does not mislead for ever", "[cut off]")
{
    for (const made_up_work w : {made_up_work{0.001, 0.002, 0.001}, made_up_work{0.001, 0.002, 0.01}}) {
        tree_cut_off c;
        outcome last;
        for (int k = 0; k < 20; ++k) last = run_learnt(c, w, million, 16, true);
        CHECK(last.us < 1.35 * best_cut_off(w, million, million / 256));
        CHECK(last.longest_us < w.solve(million) / 32);
    }
}

TEST_CASE("nothing is known at first, and short problems are never split", "[cut off]")
{
    tree_cut_off c;
    CHECK(c.splits(1000, 1000, 2));
    CHECK_FALSE(c.splits(1000, 1000, 1));
    c.note_solved(10, 1);
    CHECK_FALSE(c.splits(10, 1e9, 16));
    CHECK(c.splits(1e9, 1e9, 16));
    CHECK_FALSE(c.splits(20, 1e9, 16));
    c.note_solved(0, 1);
    c.note_solved(std::numeric_limits<double>::infinity(), 1);
    c.note_solved(0.1, 0);
    CHECK_FALSE(c.splits(0.1, 1e9, 16));
}

TEST_CASE("trees of problems with sizes give what others give", "[cut off]")
{
    const sk::runtime rt;
    using ints = std::span<const int>;
    std::vector<int> x(1'000'000);
    std::iota(x.begin(), x.end(), 1);
    const auto sum = sk::divide_and_conquer(
        sk::size_of([](ints p) { return p.size(); }),
        [](ints p) {
            return std::array{p.first(p.size() / 2), p.subspan(p.size() / 2)};
        },
        [](ints p) { return std::accumulate(p.begin(), p.end(), std::int64_t{0}); },
        [](std::span<std::int64_t> both) { return both[0] + both[1]; });
    for (int k = 0; k < 20; ++k) CHECK(sum(ints(x)) == 500'000'500'000);
    CHECK(sum(ints(x).first(1)) == 1);
    CHECK(sum(ints(x).first(0)) == 0);
    std::vector<int> y(200'000), right;
    std::mt19937 random(7);
    for (int& v : y) v = static_cast<int>(random());
    right = y;
    std::ranges::sort(right);
    using part = std::span<int>;
    std::atomic<bool> splits_small_ones{false}; // several threads split
    sk::divide_and_conquer(
        sk::size_of([](part p) { return p.size(); }, 100),
        [&](part p) {
            if (p.size() <= 100) splits_small_ones = true;
            const int pivot = p[p.size() / 2];
            const auto less = std::ranges::partition(p, [=](int v) { return v < pivot; });
            const auto same = std::ranges::partition(less, [=](int v) { return v == pivot; });
            return std::array{part(p.begin(), less.begin()), part(same)};
        },
        [](part p) { std::ranges::sort(p); })(part(y));
    CHECK_FALSE(splits_small_ones);
    CHECK(y == right);
}
