// SPDX-License-Identifier: BSD-3-Clause
#include "misuse.hpp"

#include "../message_of.hpp"

#include <algorithm>
#include <string>

namespace
{

/// "messages.cpp:12: "
std::string at(int line) { return "messages.cpp:" + std::to_string(line) + ": "; }

} // namespace

TEST_CASE("a call that nothing gives a shape is no empty vector", "[sizes]")
{
    const sk::runtime rt;
    const auto iota = sk::map(SKELRT_FN((sk::index1 i) { return (int)i.i; }));
    sk::vector<int> y;
    REQUIRE_THROWS_WITH(y = iota(), Contains("sk::shape"));
    REQUIRE_THROWS_WITH(y = add(1, 2), Contains("sk::shape"));
    REQUIRE_THROWS_WITH(y = twice(add(1, 2)), Contains("sk::shape"));
    REQUIRE_THROWS_WITH(y = sk::scan(sk::plus)(iota()), Contains("sk::shape"));
    REQUIRE_THROWS_WITH(y = sk::sort(iota()), Contains("sk::shape"));
    REQUIRE_THROWS_WITH(sk::vector<int>(iota()), Contains("sk::shape"));
    sk::matrix<int> m;
    REQUIRE_THROWS_WITH(m = iota(), Contains("sk::shape"));
    sk::tensor<int, 3> t;
    REQUIRE_THROWS_WITH(t = iota(), Contains("sk::shape"));
    {
        const sk::fusion off(false);
        REQUIRE_THROWS_WITH(y = twice(add(1, 2)), Contains("sk::shape"));
    }

    // A container that was given a size has a shape, even one of no elements.
    y = sk::vector<int>(100);
    y = iota();
    REQUIRE(values(y).back() == 99);
    sk::vector<int> none(0);
    none = iota();
    REQUIRE(none.empty());
    none = add(1, 2);
    REQUIRE(none.empty());
    m = sk::matrix<int>(3, 4);
    m = iota();
    REQUIRE(values(m).back() == 11);
    m.row(1) = add(1, 2);
    REQUIRE(values(m)[4] == 3);
}

TEST_CASE("a part that is not there is named with its line and the container's shape", "[sizes]")
{
    const sk::vector<int> x(100, 1);
    const sk::matrix<int> m(3, 4, 1);
    const sk::tensor<int, 3> t({2, 3, 4}, 1);
    std::string said = message_of([&] { static_cast<void>(x.range(90, 11)); });
    REQUIRE_THAT(said, Contains(at(__LINE__ - 1) + "vector::range") && Contains("a vector of 100"));
    said = message_of([&] { static_cast<void>(x.range(9, 9).range(5, 6)); });
    REQUIRE_THAT(said, Contains(at(__LINE__ - 1) + "view1::range") && Contains("a vector of 9"));
    said = message_of([&] { static_cast<void>(m.row(3)); });
    REQUIRE_THAT(said, Contains(at(__LINE__ - 1) + "row") && Contains("a matrix of 3 x 4"));
    said = message_of([&] { static_cast<void>(m.column(4)); });
    REQUIRE_THAT(said, Contains(at(__LINE__ - 1) + "column") && Contains("a matrix of 3 x 4"));
    said = message_of([&] { static_cast<void>(m.sub(2, 0, 2, 1)); });
    REQUIRE_THAT(said, Contains(at(__LINE__ - 1) + "sub: 2 rows") && Contains("a matrix of 3 x 4"));
    said = message_of([&] { static_cast<void>(m.all().sub(0, 4, 1, 1)); });
    REQUIRE_THAT(said, Contains(at(__LINE__ - 1) + "sub: 1 columns") && Contains("a matrix of 3 x 4"));
    said = message_of([&] { static_cast<void>(t.plane(2)); });
    REQUIRE_THAT(said, Contains(at(__LINE__ - 1) + "tensor::plane") && Contains("a tensor of 2 x 3 x 4"));
}

TEST_CASE("a second host view is told the line, the container's size, and the way out", "[host]")
{
    const sk::runtime rt;
    sk::vector<int> x(100, 1), y(100, 2);
    const sk::vector<int>& read = x;
    std::string said = message_of([&] { std::copy(sk::host(x).begin(), sk::host(x).end(), sk::host(y).begin()); });
    REQUIRE_THAT(said, Contains(at(__LINE__ - 1) + "sk::host") && Contains("100 elements"));
    REQUIRE_THAT(said, Contains("auto h = sk::host(x)"));
    sk::matrix<int> m(3, 4, 1);
    const auto h = sk::host_read(m);
    said = message_of([&] { static_cast<void>(sk::host_write(m)); });
    REQUIRE_THAT(said, Contains(at(__LINE__ - 1) + "sk::host") && Contains("3 x 4 elements"));
    // Those that read do not exclude each other, neither of const containers nor of temporaries.
    std::copy(sk::host(read).begin(), sk::host(read).end(), sk::host(y).begin());
    REQUIRE(values(y) == std::vector<int>(100, 1));
    REQUIRE(sk::host(sk::vector<int>(twice(x)))[99] == 2);
}

TEST_CASE("sk::only says where it was asked for what is not there", "[devices]")
{
    const with_variable cpu("SKELRT_DEVICES", "cpu");
    const sk::runtime rt;
    const std::string said = message_of([&] { const sk::only gpu(sk::device::cuda); });
    REQUIRE_THAT(said, Contains(at(__LINE__ - 1) + "sk::only"));
}

TEST_CASE("a stencil whose reach is not in its text says which use, and proposes no number", "[stencil]")
{
    const sk::runtime rt;
    sk::vector<int> x(100, 1);
    const auto sum5 = sk::stencil(SKELRT_FN((sk::hood1<int> u) {
                                      int s = 0;
                                      for (int k = -2; k <= 2; ++k) s += u(k);
                                      return s;
                                  }),
                                  sk::border::cyclic());
    REQUIRE_THROWS_WITH(x = sum5(x), Contains("u(k)") && Contains("sk::reach(n)") && Contains("largest distance") &&
                                         !Contains("sk::reach(1)"));
    const auto below =
        sk::stencil(SKELRT_FN((sk::hood2<int> u, int d) { return u(0, 1) + u(d, 0); }), sk::border::cyclic());
    sk::matrix<int> m(10, 10, 1);
    REQUIRE_THROWS_WITH(m = below(m, 1), Contains("u(d, 0)") && Contains("sk::reach(rows, columns)"));
}

TEST_CASE("a stencil is not told to work on a part", "[stencil]")
{
    const sk::runtime rt;
    sk::vector<int> x(100, 1), y(100);
    const auto left = sk::stencil(SKELRT_FN((sk::hood1<int> u) { return u(-1); }), sk::border::cyclic());
    REQUIRE_THROWS_WITH(y.range(1, 98) = left(x), Contains("100") && Contains("98") && Contains("sk::with_neighbours"));
    REQUIRE_THROWS_WITH(y.range(1, 98) = twice(x), Contains("part of the larger one"));
}

TEST_CASE("our own operators are named with the user's line", "[names]")
{
    const sk::runtime rt;
    const sk::vector<int> x(100, 1), y(99, 1);
    sk::vector<int> z;
    const int line = __LINE__ + 1;
    const auto subtract = sk::map(sk::minus);
    REQUIRE_THROWS_WITH(z = subtract(x, y), Contains("sk::minus") && Contains("messages.cpp:" + std::to_string(line)));
    // Calls of one type share what is known of them, so the name is that of the first.
    const auto again = sk::map(sk::minus);
    REQUIRE_THROWS_WITH(z = again(x, y), Contains("first at") && Contains("messages.cpp:" + std::to_string(line)));
    const int line_of_product = __LINE__ + 1;
    const auto product = sk::reduce(sk::multiplies);
    REQUIRE_THROWS_WITH(product(sk::vector<int>()).get(), Contains("messages.cpp:" + std::to_string(line_of_product)));
}
