// SPDX-License-Identifier: BSD-3-Clause
#include "../message_of.hpp"
#include "sequential.hpp"

#include <catch2/catch.hpp>

#include <stdexcept>

using namespace test;
using Catch::Contains;

/// Wavefronts that cannot be, and say why.

namespace
{

const auto sum =
    sk::wavefront(SKELRT_FN((sk::before2<int> d, int x) { return d.left() + d.above() + x; }), sk::border::constant(0));
const auto between = sk::wavefront(SKELRT_FN((sk::before2<int> d, int x) { return d.left() + d.above() + x; }));

} // namespace

TEST_CASE("operands of other shapes", "[misuse]")
{
    const sk::vector<int> v(4, 1), u(3, 1);
    const sk::matrix<int> m(3, 4, 1), k(4, 3, 1);
    const sk::tensor<int, 3> t(2, 3, 4);
    sk::matrix<int> r(2, 2, 7);
    REQUIRE_THROWS_WITH(r = sum(t), Contains("wavefront") && Contains("misuse.cpp") && Contains("plane"));
    REQUIRE_THROWS_WITH(r = sum(v), Contains("wavefront") && Contains("sk::per_row"));
    REQUIRE_THROWS_WITH(r = sum(sk::shape(3, 4), k), Contains("3 x 4") && Contains("4 x 3"));
    REQUIRE_THROWS_WITH(r.all() = sum(m), Contains("3 x 4") && Contains("2 x 2"));
    REQUIRE_THROWS_WITH(r = between(sk::edges(v, u, 0), k),
                        Contains("edges") && Contains("3 x 4") && Contains("4 x 3"));
    REQUIRE_THROWS_WITH(r = between(sk::edges(m.row(0), k.column(1), 0), k), Contains("edges") && Contains("4 x 4"));
    REQUIRE(values(r) == std::vector<int>(4, 7));
}

TEST_CASE("no shape at all", "[misuse]")
{
    sk::matrix<int> r;
    REQUIRE_THROWS_WITH(r = sum(3), Contains("shape"));
    REQUIRE(r.empty());
}

TEST_CASE("a plan of several devices", "[misuse]")
{
    if (!devices().has(sk::device::cpu) || !devices().has(sk::device::opencl)) return;
    auto f = sk::wavefront(SKELRT_FN((sk::before2<int> d, int x) { return d.left() + x; }), sk::border::constant(0));
    f.use(sk::plan({{sk::device::opencl, 0.5}, {sk::device::cpu, 0.5}}));
    sk::matrix<int> r;
    const auto call = [&] { r = f(sk::matrix<int>(100, 100, 1)); };
    REQUIRE_THAT(message_of(call), Contains("one device does all of a wavefront"));
}

TEST_CASE("a function that throws ends the call, whoever waits for it", "[misuse]")
{
    if (!devices().has(sk::device::cpu) || !one_device()) return;
    const auto fails = sk::wavefront(SKELRT_FN((sk::index2 at, sk::before2<int> d) {
                                         if (at.row == 300 && at.col == 200) throw std::runtime_error("at 300, 200");
                                         return d.left() + 1;
                                     }),
                                     sk::border::constant(0));
    for (const std::size_t n : {std::size_t{400}, std::size_t{2000}}) {
        const auto call = [&] {
            const sk::matrix<int> r = fails(sk::shape(n, n));
            static_cast<void>(values(r));
        };
        REQUIRE_THAT(message_of<std::exception>(call), Contains("at 300, 200"));
    }
    const sk::matrix<int> m = sum(sk::matrix<int>(3, 3, 1)); // others go on
    REQUIRE(sk::host_read(m)(2, 2) == 19);
}
