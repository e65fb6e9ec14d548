// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/needs/run_cuts.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>
#include <random>
#include <tuple>

using namespace skelrt::detail;

namespace
{

using runs = std::vector<std::vector<int>>; // of each rank, sorted

std::vector<std::size_t> counts_of(const runs& all)
{
    std::vector<std::size_t> counts;
    for (const auto& r : all) counts.push_back(r.size());
    return counts;
}

/// What each rank would answer.
std::vector<std::size_t> before(const runs& all, run_item pivot)
{
    const int value = all[pivot.rank][pivot.number];
    std::vector<std::size_t> answers;
    for (std::size_t r = 0; r < all.size(); ++r) {
        const auto& run = all[r];
        const auto at = r < pivot.rank ? std::upper_bound(run.begin(), run.end(), value)
                                       : std::lower_bound(run.begin(), run.end(), value);
        answers.push_back(r == pivot.rank ? pivot.number : static_cast<std::size_t>(at - run.begin()));
    }
    return answers;
}

/// Sorts all, by value, rank and place.
std::vector<std::size_t> plainly(const runs& all, std::size_t in_front)
{
    std::vector<std::tuple<int, std::size_t, std::size_t>> items;
    for (std::size_t r = 0; r < all.size(); ++r)
        for (std::size_t i = 0; i < all[r].size(); ++i) items.emplace_back(all[r][i], r, i);
    std::sort(items.begin(), items.end());
    std::vector<std::size_t> cuts(all.size(), 0);
    for (std::size_t k = 0; k < in_front; ++k) ++cuts[std::get<1>(items[k])];
    return cuts;
}

} // namespace

TEST_CASE("Sorted runs are cut where a stable sort of all would cut them")
{
    std::mt19937 random(5);
    const auto below = [&](std::size_t n) { return random() % n; };
    for (int round = 0; round < 3000; ++round) {
        runs all(1 + below(9));
        const std::size_t longest = 1 + below(round % 10 == 0 ? 2000 : 40),
                          values = 1 + below(round % 3 == 0 ? 3 : 1000);
        for (auto& r : all) {
            r.resize(below(longest));
            for (int& v : r) v = static_cast<int>(below(values));
            std::sort(r.begin(), r.end());
        }
        const auto counts = counts_of(all);
        const std::size_t items = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
        const std::size_t in_front = below(items + 1);
        run_cuts search(counts, in_front);
        std::size_t pivots = 0;
        for (; !search.found(); ++pivots) search.take(before(all, search.pivot()));
        REQUIRE(search.cuts() == plainly(all, in_front));
        REQUIRE(pivots <= all.size() * 12);
    }
}

TEST_CASE("A search with answers of no order ends within the runs")
{
    std::mt19937 random(6);
    for (int round = 0; round < 500; ++round) {
        std::vector<std::size_t> counts(1 + random() % 6);
        for (auto& n : counts) n = random() % 100;
        run_cuts search(counts, random() % 200);
        for (std::size_t pivots = 0; !search.found(); ++pivots) {
            REQUIRE(pivots < 700);
            std::vector<std::size_t> answers(counts.size());
            for (auto& a : answers) a = random() % 150;
            search.take(answers);
        }
        for (std::size_t r = 0; r < counts.size(); ++r) REQUIRE(search.cuts()[r] <= counts[r]);
    }
}
