// SPDX-License-Identifier: BSD-3-Clause
/// Skeletons whose plan is that of what they are made of, and free functions, which obey the plan that their thread
/// follows. Exit code 77: no OpenCL device stands for a GPU here.

#include <skelrt/skelrt.hpp>

#include "each_plan.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>

namespace sk = skelrt;
using Catch::Contains;

namespace
{

constexpr std::size_t n = 1 << 18, side = 600, tiles = 10;

/// Every number below n once, in no order.
sk::vector<int> shuffled()
{
    sk::vector<int> v(n);
    const auto view = sk::host(v);
    for (std::size_t i = 0; i < n; ++i) view[i] = static_cast<int>(i * 77773 % n);
    return v;
}

int value(std::size_t i) { return sk::host_read(shuffled())[i]; }

/// Two devices cannot share it.
template <class Run>
void check_one_device(const Run& run)
{
    tasks();
    run(on_cpu);
    CHECK(tasks() == counts{1, 0});
    run(on_gpu);
    const counts there = tasks();
    CHECK(there.cpu == 0);
    CHECK(there.opencl > 0);
    CHECK_THROWS_WITH(run(split), Contains("one device sorts all elements"));
}

} // namespace

TEST_CASE("generate obeys its plan", "[plans]")
{
    auto squares = sk::generate(SKELRT_FN((sk::index1 i) { return (int)(i.i % 1000 * (i.i % 1000)); }));
    check_each(
        [&](const sk::plan& p) {
            const sk::vector<int> y = squares.use(p)(sk::shape(n));
            CHECK(sk::host_read(y)[1999] == 999 * 999);
        },
        {1, 1});
}

TEST_CASE("pairs obey their plan", "[plans]")
{
    auto table = sk::map_pairs(SKELRT_FN((int a, int b) { return a * b; }));
    check_each(
        [&](const sk::plan& p) {
            const sk::vector<int> x(side, 3), y(side, 5);
            const sk::matrix<int> m = table.use(p)(x, y);
            CHECK(sk::host_read(m)(side - 1, side - 1) == 15);
        },
        {1, 2}); // y is gathered for OpenCL
}

TEST_CASE("reduced pairs obey their plan", "[plans]")
{
    auto sums = sk::map_pairs_reduce(SKELRT_FN((int a, int b) { return a * b; }), sk::plus, 0);
    const sk::vector<int> x(side, 3), y(side, 5);
    check_each(
        [&](const sk::plan& p) {
            const sk::vector<int> s = sums.use(p)(x, y);
            CHECK(sk::host_read(s)[side - 1] == 15 * static_cast<int>(side));
        },
        {1, 1});
}

TEST_CASE("filters obey their plan", "[plans]")
{
    auto odd = sk::filter(SKELRT_FN((int v) { return v % 2 == 1; }));
    for (const sk::plan& p : {on_cpu, on_gpu}) {
        const auto x = shuffled();
        tasks();
        const sk::vector<int> y = odd.use(p)(x);
        CHECK(y.size() == n / 2);
        const counts done = tasks();
        CHECK((p == on_cpu ? done.opencl : done.cpu) == 0);
        CHECK((p == on_cpu ? done.cpu : done.opencl) > 0);
    }
}

TEST_CASE("for_each obeys its plan", "[plans]")
{
    auto count = sk::for_each(SKELRT_FN((int v, sk::accumulator<int> h) { h.add((size_t)(v % 4), 1); }));
    check_each(
        [&](const sk::plan& p) {
            sk::vector<int> h(4, 0);
            count.use(p)(shuffled(), h);
            CHECK(sk::host_read(h)[3] == static_cast<int>(n / 4));
        },
        {1, 1}, 1);
}

TEST_CASE("histograms obey the plan that is followed", "[plans]")
{
    check_each(
        [&](const sk::plan& p) {
            const sk::follow all(p);
            const sk::vector<unsigned> h = sk::histogram(shuffled(), 8, 0, static_cast<int>(n));
            CHECK(sk::host_read(h)[7] == n / 8);
        },
        {1, 1}, 1);
}

TEST_CASE("gather obeys the plan that is followed", "[plans]")
{
    check_each(
        [&](const sk::plan& p) {
            const auto x = shuffled(), at = shuffled();
            const sk::follow all(p);
            const sk::vector<int> y = sk::gather(x, at);
            CHECK(sk::host_read(y)[5] == value(static_cast<std::size_t>(value(5))));
        },
        {1, 2}); // x is gathered for OpenCL
}

TEST_CASE("scatter_add obeys the plan that is followed", "[plans]")
{
    check_each(
        [&](const sk::plan& p) {
            const auto x = shuffled(), at = shuffled();
            sk::vector<int> to(n, 0);
            const sk::follow all(p);
            sk::scatter_add(x, at, to);
            CHECK(sk::host_read(to)[n - 1] == static_cast<int>(n - 1));
        },
        {1, 1}, 1);
}

TEST_CASE("transpose obeys the plan that is followed", "[plans]")
{
    check_each(
        [&](const sk::plan& p) {
            sk::matrix<int> m(side, side, 0);
            sk::host(m)(2, side - 1) = 7;
            const sk::follow all(p);
            const sk::matrix<int> t = sk::transpose(m);
            CHECK(sk::host_read(t)(side - 1, 2) == 7);
        },
        {1, 2});
}

TEST_CASE("sorts obey the plan that is followed", "[plans]")
{
    check_one_device([&](const sk::plan& p) {
        const auto x = shuffled();
        const sk::follow all(p);
        const sk::vector<int> y = sk::sort(x);
        const auto view = sk::host_read(y);
        CHECK(std::is_sorted(view.begin(), view.end()));
    });
}

TEST_CASE("sorts by key obey the plan that is followed", "[plans]")
{
    check_one_device([&](const sk::plan& p) {
        auto keys = shuffled(), values = shuffled();
        const sk::follow all(p);
        sk::sort_by_key(keys, values);
        const auto view = sk::host_read(values);
        CHECK(std::is_sorted(view.begin(), view.end()));
    });
}

int main(int argc, char** argv)
{
    sk::options wanted;
    wanted.tiles = tiles;
    return run_with_opencl(argc, argv, wanted);
}
