// SPDX-License-Identifier: BSD-3-Clause
#include "misuse.hpp"

#include <sstream>

TEST_CASE("operands of different sizes are named with their sizes", "[sizes]")
{
    const sk::runtime rt;
    const sk::vector<int> x(100, 1), y(99, 1);
    const sk::matrix<int> m(3, 4, 1), k(4, 3, 1);
    sk::vector<int> z;
    REQUIRE_THROWS_WITH(z = add(x, y), Contains("100") && Contains("99"));
    REQUIRE_THROWS_WITH(sum(add(x, y)).get(), Contains("100") && Contains("99"));
    REQUIRE_THROWS_WITH(z = add(x, m.row(0)), Contains("100") && Contains("4"));
    REQUIRE_THROWS_WITH(z = add(x, twice(y)), Contains("100") && Contains("99"));
    sk::matrix<int> r;
    REQUIRE_THROWS_WITH(r = add(m, k), Contains("3 x 4") && Contains("4 x 3"));
    REQUIRE_THROWS_WITH(r = add(m, x), Contains("3 x 4") && Contains("100"));
    REQUIRE_THROWS_AS(z = twice(m), sk::error);
    REQUIRE_THROWS_AS(r = twice(x), sk::error);
    REQUIRE(z.empty());
    REQUIRE(r.empty());
    z = add(x, x);
    REQUIRE(values(z) == std::vector<int>(100, 2));
}

TEST_CASE("the message says where the function stands", "[sizes]")
{
    const sk::runtime rt;
    const sk::vector<int> x(100, 1), y(99, 1);
    const int line = __LINE__ + 1;
    const auto here = sk::map(SKELRT_FN((int a, int b) { return a - b; }));
    sk::vector<int> z;
    REQUIRE_THROWS_WITH(z = here(x, y), Contains("containers.cpp:" + std::to_string(line)));
}

TEST_CASE("a destination of the wrong size", "[sizes]")
{
    const sk::runtime rt;
    const sk::vector<int> x(100, 1);
    sk::vector<int> y(50, 7);
    sk::matrix<int> m(10, 10, 7);
    REQUIRE_THROWS_WITH(y.range(0, 20) = twice(x), Contains("20") && Contains("100"));
    REQUIRE_THROWS_WITH(m.row(3) = twice(x), Contains("10") && Contains("100"));
    REQUIRE_THROWS_WITH(m.sub(0, 0, 2, 3) = twice(m), Contains("2 x 3") && Contains("10 x 10"));
    REQUIRE_THROWS_AS(y.range(0, 20) = sum.by_row(m), sk::error);
    REQUIRE(values(y) == std::vector<int>(50, 7));
    REQUIRE(values(m) == std::vector<int>(100, 7));
}

TEST_CASE("parts that are not there", "[sizes]")
{
    const sk::vector<int> x(100, 1);
    const sk::matrix<int> m(3, 4, 1);
    REQUIRE_THROWS_WITH(x.range(90, 11), Contains("90") && Contains("11") && Contains("100"));
    REQUIRE_THROWS_AS(x.range(101, 0), sk::error);
    REQUIRE_THROWS_AS(x.range(1, static_cast<std::size_t>(-1)), sk::error);
    REQUIRE_THROWS_AS(x.range(10, 20).range(15, 6), sk::error);
    REQUIRE_THROWS_WITH(m.row(3), Contains("3"));
    REQUIRE_THROWS_WITH(m.column(4), Contains("4"));
    REQUIRE_THROWS_AS(m.sub(2, 0, 2, 1), sk::error);
    REQUIRE_THROWS_AS(m.sub(0, 4, 1, 1), sk::error);
    REQUIRE_THROWS_AS(m.sub(0, 0, 3, static_cast<std::size_t>(-1)), sk::error);
    REQUIRE_THROWS_AS(sk::matrix<int>().row(0), sk::error);
}

TEST_CASE("a call without a shape", "[sizes]")
{
    const sk::runtime rt;
    const auto iota = sk::map(SKELRT_FN((sk::index1 i) { return (int)i.i; }));
    REQUIRE_THROWS_WITH(sum(iota()).get(), Contains("shape"));
    const sk::vector<int> x(10, 1);
    sk::vector<int> y;
    REQUIRE_THROWS_WITH(y = add(x, iota(sk::shape(11))), Contains("10") && Contains("11"));
}

TEST_CASE("more memory than there is", "[memory]")
{
    REQUIRE_THROWS_AS(sk::vector<double>(static_cast<std::size_t>(1) << 62), sk::error);
    REQUIRE_THROWS_AS((sk::matrix<int>(static_cast<std::size_t>(1) << 40, static_cast<std::size_t>(1) << 40)),
                      sk::error);
    REQUIRE_THROWS_WITH(sk::vector<double>(static_cast<std::size_t>(1) << 50), Contains("memory"));
    REQUIRE_THROWS_WITH(sk::vector<int>(sk::borrow, nullptr, 5), Contains("null"));
    const sk::vector<int> none(sk::borrow, nullptr, 0);
    REQUIRE(none.empty());
}

TEST_CASE("host views exclude each other and calls", "[host]")
{
    for (const char* limit : {"0", "1000000"}) { // as tasks, and inline
        const with_variable inline_limit("SKELRT_INLINE_US", limit);
        const sk::runtime rt;
        sk::vector<int> x(1000, 1), y(1000, 2);
        x = twice(x);
        {
            const auto writing = sk::host(x);
            REQUIRE_THROWS_WITH(sk::host(x), Contains("view"));
            REQUIRE_THROWS_WITH(sk::host_read(x), Contains("view"));
            REQUIRE_THROWS_WITH(y = twice(x), Contains("view"));
            REQUIRE_THROWS_WITH(x = twice(y), Contains("view"));
            REQUIRE_THROWS_WITH(x.range(0, 5) = twice(y.range(0, 5)), Contains("view"));
            REQUIRE_THROWS_WITH(sum(x).get(), Contains("view"));
        }
        {
            const auto reading = sk::host_read(x), too = sk::host_read(x);
            y = twice(x);
            REQUIRE_THROWS_WITH(x = twice(x), Contains("view"));
            REQUIRE_THROWS_WITH(sk::host(x), Contains("view"));
        }
        x = twice(x);
        REQUIRE(values(x) == std::vector<int>(1000, 4));
        REQUIRE(values(y) == std::vector<int>(1000, 4));
    }
}

TEST_CASE("tiles are set before the first task, or not at all", "[tiles]")
{
    const with_variable never_inline("SKELRT_INLINE_US", "0");
    const sk::runtime rt;
    sk::vector<int> x(1000, 1);
    x.set_tiles(5);
    x.set_tiles(6);
    const sk::vector<int> y = twice(x);
    REQUIRE_THROWS_WITH(x.set_tiles(7), Contains("tile"));
    REQUIRE(values(y) == std::vector<int>(1000, 2));
}

TEST_CASE("tensors of other extents, and indices of another rank", "[tensor]")
{
    const sk::runtime rt;
    const sk::tensor<int, 3> x({2, 3, 4}, 1), y({2, 4, 3}, 1);
    sk::tensor<int, 3> z;
    REQUIRE_THROWS_WITH(z = add(x, y), Contains("2 x 3 x 4") && Contains("2 x 4 x 3"));
    REQUIRE_THROWS_WITH(z = add(x, x.flat()), Contains("2 x 3 x 4") && Contains("2 x 12"));
    REQUIRE_THROWS_WITH(x.plane(2), Contains("2"));
    const auto at3 = sk::map(SKELRT_FN((sk::index3 i, int a) { return a + (int)i.row; }));
    const auto at2 = sk::map(SKELRT_FN((sk::index2 i, int a) { return a + (int)i.row; }));
    const sk::tensor<int, 4> w({2, 3, 4, 5}, 1);
    sk::tensor<int, 4> v;
    sk::matrix<int> m;
    REQUIRE_THROWS_WITH(m = at3(x.flat()), Contains("index3") && Contains("index2"));
    REQUIRE_THROWS_WITH(v = at3(w), Contains("index3") && Contains("index4"));
    REQUIRE_THROWS_WITH(z = at2(x), Contains("index2") && Contains("index3"));
    REQUIRE_THROWS_WITH(sum(at3(w)).get(), Contains("index3"));
    sk::vector<int> rows;
    REQUIRE_THROWS_WITH(rows = sum.by_row(x), Contains("matrix") && Contains("flat"));
    z = add(x, x);
    REQUIRE(sum(z).get() == 48);
}

SKELRT_SHARED(struct both_of { int first, second; };)

TEST_CASE("several results go to different containers of the call's dimension", "[tie]")
{
    const sk::runtime rt;
    const auto both = sk::map(SKELRT_FN((int a) {
        both_of b;
        b.first = a, b.second = 2 * a;
        return b;
    }));
    const sk::vector<int> x(100, 1);
    sk::vector<int> y, z;
    sk::matrix<int> m;
    REQUIRE_THROWS_WITH((sk::tie(y, y) = both(x)), Contains("same container"));
    REQUIRE_THROWS_WITH((sk::tie(y, m) = both(x)), Contains("100"));
    sk::tie(y, z) = both(x);
    REQUIRE(values(z) == std::vector<int>(100, 2));
}

TEST_CASE("sizes, shapes and whereabouts before the runtime and after it", "[runtime]")
{
    sk::vector<int> x{1, 2, 3};
    x.append({4});
    const auto grow_and_check = [&] {
        x.insert(1, x.range(0, 2));
        x.erase(0, 2);
        REQUIRE(values(x) == std::vector<int>{2, 2, 3, 4});
        x.resize(5, 9);
        x.resize(3);
        x.insert(3, 4);
        x.insert(0, 1);
        x.erase(1);
        REQUIRE(values(x) == std::vector<int>{1, 2, 3, 4});
        sk::matrix<int> m = sk::reshape(std::move(x), 2, 2);
        sk::vector<int> second;
        second.append(m.column(1));
        REQUIRE(values(second) == std::vector<int>{2, 4});
        x = sk::reshape(std::move(m), 4);
        const auto all = sk::where(x);
        REQUIRE(all.size() == 1);
        REQUIRE(all[0].bytes == 4 * sizeof(int));
        sk::evict(x);
        std::ostringstream text;
        text << x;
        REQUIRE(text.str() == "vector<int>(4) [1, 2, 3, 4]");
    };
    grow_and_check();
    REQUIRE_THROWS_WITH(sk::prefetch(x, sk::device::cpu), Contains("runtime"));
    {
        const sk::runtime rt;
        x = twice(x);
        x = sk::map(SKELRT_FN((int a) { return a / 2; }))(x);
        grow_and_check();
    }
    grow_and_check();
}

TEST_CASE("tensors of more memory than there is", "[tensor][memory]")
{
    const std::size_t large = static_cast<std::size_t>(1) << 30;
    REQUIRE_THROWS_AS((sk::tensor<int, 3>(large, large, large)), sk::error);
    REQUIRE_THROWS_AS((sk::tensor<int, 4>(1, large, large, large)), sk::error);
}
