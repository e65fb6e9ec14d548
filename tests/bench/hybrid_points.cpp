// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/hybrid/hybrid_points.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <initializer_list>
#include <vector>

using namespace bench;

namespace
{

/// One sample a round, from round 0 on.
samples rounds(std::initializer_list<double> seconds)
{
    samples all;
    for (const double s : seconds) all.push_back({static_cast<int>(all.size()), s});
    return all;
}

hybrid_point point(double automatic, double cpu, double cuda, std::size_t bytes = 1000)
{
    hybrid_point p;
    p.work = "loop";
    p.elements = bytes / 8;
    p.bytes = bytes;
    p.bound_by_transfers = true;
    p.automatic = rounds({automatic});
    p.single = {{"cpu", rounds({cpu})}, {"cuda", rounds({cuda})}};
    return p;
}

constexpr std::size_t cache = 1 << 20;

} // namespace

TEST_CASE("the middle of an odd and of an even number of samples, in any order", "[hybrid]")
{
    CHECK(median_of(rounds({5, 1, 3})) == 3);
    CHECK(median_of(rounds({8, 1, 2, 4})) == 3);
    CHECK(median_of({}) == 0);
}

TEST_CASE("times are compared within their round", "[hybrid]")
{
    // The machine is ten times as slow in rounds 2 to 4; the second way has no sample in two of them.
    const samples a = rounds({1, 1, 10, 10, 10}), b{{0, 2}, {1, 2}, {2, 20}};
    CHECK(time_over(a, b) == 0.5);
    CHECK(time_over(b, a) == 2);
    CHECK(median_of(a) / median_of(b) == 5);                                   // which nobody wants to know
    CHECK(time_over({{0, 3}, {1, 3}, {2, 3}, {3, 3}}, {{1, 1}, {3, 3}}) == 2); // 3 and 1
}

TEST_CASE("ways that no round had in common have no ratio", "[hybrid]")
{
    CHECK(time_over({{0, 1}, {2, 1}}, {{1, 1}, {3, 1}}) == 0);
    CHECK(time_over({}, rounds({1})) == 0);
    CHECK(time_over(rounds({1}), {}) == 0);
}

TEST_CASE("the best single device is the one that automatic placement does worst against", "[hybrid]")
{
    hybrid_point p = point(3, 2, 6);
    CHECK(p.best_single() == 2);
    CHECK(p.of_best_single() == 1.5);
    p.each_gpu = {{0, rounds({4})}, {1, rounds({1})}}; // the second GPU alone is better than both
    CHECK(p.best_single() == 1);
    CHECK(p.of_best_single() == 3);
    CHECK(p.single_time("cuda") == 6);
}

TEST_CASE("a split counts where it beats the single devices, in turns with automatic placement", "[hybrid]")
{
    hybrid_point p = point(3, 2, 6);
    p.finalists = {{0.5, rounds({1})}, {0.6, rounds({5})}};
    p.beside_finalists = rounds({4});
    CHECK(p.best_split() == 1);
    CHECK(p.best_split_over_automatic() == 0.25);
    p.beside_finalists = rounds({1});
    CHECK(p.best_split_over_automatic() == 1 / 1.5);
}

TEST_CASE("efficiency is 1 where the rates of all devices add up", "[hybrid]")
{
    CHECK(point(2, 3, 6).efficiency() == Approx(1)); // 1/3 + 1/6
    CHECK(point(3, 3, 6).efficiency() == Approx(2.0 / 3));
    CHECK(point(2, 4, 4).efficiency() == Approx(1));
    hybrid_point p = point(2, 3, 6);
    p.each_gpu = {{0, rounds({12})}, {1, rounds({12})}}; // they are the 6 of all GPUs
    CHECK(p.efficiency() == Approx(1));
}

TEST_CASE("the worst and the median of all points", "[hybrid]")
{
    const hybrid_ratios r = ratios_of({point(1, 2, 4), point(3, 2, 4), point(2, 2, 4)}, cache);
    CHECK(r.worst_vs_best_single == 1.5);
    CHECK(r.median_vs_best_single == 1);
}

TEST_CASE("bound by transfers are single steps from the host, in the caches or not", "[hybrid]")
{
    hybrid_point large = point(1, 2, 4, 2 * cache), small = point(3, 2, 4), resident = point(9, 1, 4, 2 * cache),
                 many = resident, computes = resident;
    resident.from_host = false;
    many.steps = 100;
    computes.bound_by_transfers = false;
    const hybrid_ratios r = ratios_of({large, small, resident, many, computes}, cache);
    CHECK(r.median_transfer_bound == 0.5);
    CHECK(r.median_cached == 1.5);
    CHECK(r.worst_vs_best_single == 9);
}

TEST_CASE("only searched points count for splits, only those from the host for efficiency", "[hybrid]")
{
    hybrid_point a = point(2, 2, 4), b = point(4, 2, 4), c = point(8, 2, 4);
    a.searched = b.searched = true;
    c.from_host = false;
    const hybrid_ratios r = ratios_of({a, b, c}, cache);
    CHECK(r.worst_vs_best_split == 0.5);
    CHECK(r.mean_vs_best_split == 0.75);
    CHECK(r.efficiency == Approx((a.efficiency() + b.efficiency()) / 2));
}

TEST_CASE("ratios to a policy are geometric means", "[hybrid]")
{
    hybrid_point a = point(1, 2, 4), b = point(1, 2, 4), none = point(1, 2, 4);
    a.policies = {{"dmdas", 2}, {"dmda", 7}};
    b.policies = {{"dmdas", 8}};
    b.from_host = false;
    const hybrid_ratios r = ratios_of({a, b, none}, cache);
    CHECK(r.vs_dmdas == Approx(4));
    CHECK(r.vs_dmdas_host == Approx(2));
}

TEST_CASE("what no point says is 0", "[hybrid]")
{
    const hybrid_ratios nothing = ratios_of({}, cache);
    CHECK(nothing.worst_vs_best_single == 0);
    CHECK(nothing.median_vs_best_single == 0);
    CHECK(nothing.median_transfer_bound == 0);
    CHECK(nothing.worst_vs_best_split == 0);
    CHECK(nothing.vs_dmdas == 0);
    CHECK(nothing.efficiency == 0);
    hybrid_point no_gpu = point(1, 2, 4);
    no_gpu.single.erase("cuda");
    const hybrid_ratios r = ratios_of({no_gpu}, cache);
    CHECK(r.worst_vs_best_single == 0.5);
    CHECK(r.efficiency == Approx(2));
    CHECK(r.efficiency_of_shares == 0);
}

TEST_CASE("shares take as long as work of their size, where there are sizes enough to tell", "[hybrid]")
{
    // Each device alone takes a second an element, but at least eight: automatic placement took 16 for all sizes.
    std::vector<hybrid_point> points;
    for (const std::size_t n : {8u, 16u, 32u})
        points.push_back(point(16, static_cast<double>(n), static_cast<double>(n), 8 * n));
    CHECK(ratios_of({points[1], points[2]}, cache).efficiency_of_shares == 0); // too few sizes
    // No share of 8 elements takes less than 8; halves of 16 take 8, and of 32 take 16.
    CHECK(ratios_of(points, cache).efficiency_of_shares == Approx((8 + 8 + 16) / 3.0 / 16));
}

TEST_CASE("points are named by what is done where", "[hybrid]")
{
    hybrid_point p = point(1, 2, 4);
    CHECK(p.name() == "loop 125");
    p.from_host = false;
    p.steps = 100;
    CHECK(p.name() == "loop 125, on the GPU x 100");
}
