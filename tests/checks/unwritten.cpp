// SPDX-License-Identifier: BSD-3-Clause
/// SKELRT_CHECK=unwritten: what calls and host views read must have been written. Run as the conformance cases are: the
/// environment decides where calls run.

#include "../conformance/support.hpp"
#include "../message_of.hpp"

#include <string>

namespace
{

using Catch::Matchers::Contains;

constexpr std::size_t n = 1000;
const auto doubled = sk::map(SKELRT_FN((int a) { return 2 * a; }));
const auto first = sk::map(SKELRT_FN((int a, sk::vec<int> v) { return a + v[0]; }));

} // namespace

TEST_CASE("elements that nobody has written", "[unwritten]")
{
    sk::vector<int> x(n, sk::uninitialized), y;
    CHECK_THAT(message_of([&] { y = doubled(x); }), Contains("map (") && Contains("unwritten.cpp:") &&
                                                        Contains("operand 1 reads element 0 ") &&
                                                        Contains("nobody has written") && Contains("1 x 1000"));
    x.range(0, 600) = doubled(sk::vector<int>(600, 3)); // a part, by a call
    CHECK_THAT(message_of([&] { y = doubled(x); }), Contains("element 600 "));
    y = doubled(x.range(100, 500));
    test::check_equal(y, std::vector<int>(500, 12));
    {
        auto h = sk::host(x); // the rest, by the host
        for (std::size_t i = 600; i < n - 1; ++i) h[i] = 6;
    }
    CHECK_THAT(message_of([&] { static_cast<void>(sk::reduce(sk::plus, 0)(x).get()); }), Contains("element 999 "));
    sk::host(x.range(n - 1, 1))[0] = 6;
    CHECK(sk::reduce(sk::plus, 0)(x).get() == 6000);
}

TEST_CASE("columns of a matrix, and doubles", "[unwritten]")
{
    sk::matrix<double> m(20, 30, sk::uninitialized);
    const auto plus_one = sk::map(SKELRT_FN((double a) { return a + 1; }));
    m.sub(0, 0, 20, 10) = plus_one(sk::matrix<double>(20, 10, 1.0));
    sk::matrix<double> r;
    CHECK_THAT(message_of([&] { r = plus_one(m); }), Contains("element 10 (row 0, column 10)"));
    r = plus_one(m.sub(0, 0, 20, 10));
    CHECK(sk::host_read(r)(19, 9) == 3.0);
}

TEST_CASE("containers that are read anywhere, and whole", "[unwritten]")
{
    sk::vector<int> x(n, 1), table(50, sk::uninitialized), y;
    CHECK_THAT(message_of([&] { y = first(x, table); }), Contains("operand 2 is a container of 1 x 50"));
    CHECK_THAT(message_of([&] { static_cast<void>(sk::host_read(table)[0]); }),
               Contains("sk::host reads") && Contains("unwritten.cpp:"));
    CHECK_THAT(message_of([&] { static_cast<void>(sk::host_read(table.range(1, 2))[0]); }),
               Contains("sk::host reads part") && Contains("unwritten.cpp:"));
    table.range(0, 1) = doubled(sk::vector<int>(1, 2)); // it may be that nobody asks for the rest
    y = first(x, table);
    test::check_equal(y, std::vector<int>(n, 5));
    sk::vector<int> sums(8, sk::uninitialized), at(n, 3);
    CHECK_THAT(message_of([&] { sk::scatter_add(x, at, sums); }), Contains("adds to a container of 8 elements"));
}

TEST_CASE("copies know what was not written, and writing everything is enough", "[unwritten]")
{
    sk::vector<int> x(n, sk::uninitialized), y = x;
    CHECK_THAT(message_of([&] { y = doubled(y); }), Contains("element 0 "));
    {
        auto h = sk::host_write(x);
        for (auto& e : h) e = 4;
    }
    y = doubled(x);
    x = doubled(y);
    test::check_equal(x, std::vector<int>(n, 16));
}

TEST_CASE("small elements: sixteen bytes of them in a row, and never by chance", "[unwritten]")
{
    const auto plus_one = sk::map(SKELRT_FN((unsigned char a) { return (unsigned char)(a + 1); }));
    sk::vector<unsigned char> x(n, sk::uninitialized), y;
    CHECK_THAT(message_of([&] { y = plus_one(x); }), Contains("element 0 ") && Contains("nobody has written"));
    {
        auto h = sk::host(x);
        for (std::size_t i = 0; i < 700; ++i) h[i] = 1;
    }
    y = plus_one(x.range(0, 700));
    CHECK_THAT(message_of([&] { y = plus_one(x); }), Contains("element 700 "));
    for (int value = 0; value < 256; ++value) { // each value that a byte can have, where nobody wrote the rest
        sk::host(x)[800] = static_cast<unsigned char>(value);
        y = plus_one(x.range(800, 1));
        test::check_equal(y, std::vector<unsigned char>{static_cast<unsigned char>(value + 1)});
    }
    sk::vector<short> s(n, sk::uninitialized), t;
    const auto twice = sk::map(SKELRT_FN((short a) { return (short)(2 * a); }));
    s.range(0, 300) = twice(sk::vector<short>(300, 2));
    CHECK_THAT(message_of([&] { t = twice(s); }), Contains("element 300 "));
    sk::vector<short> few(4, sk::uninitialized);
    t = twice(few); // too few to tell
}
