// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <numeric>

using namespace test;

namespace
{

using extents3 = sk::tensor<unsigned, 3>::extents_type;
using extents4 = sk::tensor<unsigned, 4>::extents_type;

const auto position3 =
    sk::map(SKELRT_FN((sk::index3 i) { return (unsigned)(i.plane * 1000003 + i.row * 1009 + i.col); }));
const auto position4 = sk::map(
    SKELRT_FN((sk::index4 i) { return (unsigned)(i.cube * 1000000007 + i.plane * 1000003 + i.row * 1009 + i.col); }));
const auto add3 = sk::map(SKELRT_FN(
    (sk::index3 i, unsigned a, unsigned f) { return f * a + (unsigned)(i.plane * 10000 + i.row * 100 + i.col); }));
const auto count_up = sk::map(SKELRT_FN((sk::index1 i, unsigned a) { return a + (unsigned)i.i; }));
const auto add = sk::map(SKELRT_FN((unsigned a, unsigned b) { return a + 3u * b; }));
const auto twice = sk::map(SKELRT_FN((unsigned a) { return 2u * a; }));
const auto sum = sk::reduce(sk::plus, 0u);

struct index {
    std::size_t cube, plane, row, col;
};

/// Where element i of a tensor lies; rank 3 has one cube.
index place(std::size_t i, const extents4& e)
{
    return {i / (e[3] * e[2] * e[1]), i / (e[3] * e[2]) % e[1], i / e[3] % e[2], i % e[3]};
}
unsigned place3(std::size_t i, const extents3& e)
{
    const index p = place(i, {1, e[0], e[1], e[2]});
    return static_cast<unsigned>(p.plane * 1000003 + p.row * 1009 + p.col);
}
unsigned place4(std::size_t i, const extents4& e)
{
    const index p = place(i, e);
    return static_cast<unsigned>(p.cube * 1000000007 + p.plane * 1000003 + p.row * 1009 + p.col);
}

extents3 shapes3()
{
    return GENERATE(as<extents3>(), extents3{0, 0, 0}, extents3{0, 3, 4}, extents3{3, 0, 4}, extents3{3, 4, 0},
                    extents3{1, 1, 1}, extents3{1, 7, 300}, extents3{301, 1, 3}, extents3{17, 65, 33},
                    extents3{3, 129, 257});
}

} // namespace

TEST_CASE("tensors of rank 3: positions", "[tensor][index]")
{
    const extents3 e = shapes3();
    const std::size_t n = e[0] * e[1] * e[2];
    const auto want = expected(n, [&](std::size_t i) { return place3(i, e); });
    sk::tensor<unsigned, 3> t(e);
    t = position3();
    check_equal(t, want);
    REQUIRE(t.extents() == e);
    const sk::tensor<unsigned, 3> u = position3(sk::shape(e[0], e[1], e[2]));
    REQUIRE(u.extents() == e);
    check_equal(u, want);
    REQUIRE(sum(position3(sk::shape(e[0], e[1], e[2]))).get() == std::accumulate(want.begin(), want.end(), 0u));
}

TEST_CASE("tensors of rank 4: positions", "[tensor][index]")
{
    const auto e =
        GENERATE(as<extents4>(), extents4{0, 1, 2, 3}, extents4{2, 0, 3, 1}, extents4{2, 3, 0, 1}, extents4{1, 1, 1, 1},
                 extents4{1, 5, 7, 129}, extents4{13, 2, 3, 5}, extents4{7, 17, 33, 9});
    const std::size_t n = e[0] * e[1] * e[2] * e[3];
    const auto want = expected(n, [&](std::size_t i) { return place4(i, e); });
    sk::tensor<unsigned, 4> t(e);
    t = position4();
    check_equal(t, want);
    const sk::tensor<unsigned, 4> u = position4(sk::shape(e[0], e[1], e[2], e[3]));
    REQUIRE(u.extents() == e);
    check_equal(u, want);
    check_equal(sk::tensor<unsigned, 4>(add(u, twice(t))), expected(n, [&](std::size_t i) { return 7 * want[i]; }));
}

TEST_CASE("tensors as operands, fused, in place", "[tensor]")
{
    const extents3 e = shapes3();
    const std::size_t n = e[0] * e[1] * e[2];
    const auto a = numbers<unsigned>(n), b = numbers<unsigned>(n, 2);
    sk::tensor<unsigned, 3> x(e, a.begin());
    const sk::tensor<unsigned, 3> y(e, b.begin());
    check_equal(x, a);
    sk::tensor<unsigned, 3> z = add(x, twice(y));
    check_equal(z, expected(n, [&](std::size_t i) { return a[i] + 6 * b[i]; }));
    z = add3(z, 2u); // in place
    const auto position = [&](std::size_t i) {
        const index p = place(i, {1, e[0], e[1], e[2]});
        return static_cast<unsigned>(p.plane * 10000 + p.row * 100 + p.col);
    };
    check_equal(z, expected(n, [&](std::size_t i) { return 2 * (a[i] + 6 * b[i]) + position(i); }));
    z = count_up(add(y, y));
    check_equal(z, expected(n, [&](std::size_t i) { return 4 * b[i] + static_cast<unsigned>(i); }));
    REQUIRE(sum(add(x, y)).get() ==
            std::accumulate(a.begin(), a.end(), 0u) + 3 * std::accumulate(b.begin(), b.end(), 0u));
    const sk::tensor<unsigned, 3> copy = z;
    z = twice(z);
    REQUIRE(copy.extents() == e);
    check_equal(copy, expected(n, [&](std::size_t i) { return 4 * b[i] + static_cast<unsigned>(i); }));
}

TEST_CASE("planes of tensors are matrices", "[tensor][view]")
{
    const extents3 e{11, 13, 17};
    const std::size_t n = 11 * 13 * 17, plane = 13 * 17;
    const auto a = numbers<unsigned>(n);
    sk::tensor<unsigned, 3> x(e, a.begin());
    auto want = a;
    const sk::matrix<unsigned> m = twice(x.plane(4));
    check_equal(m, expected(plane, [&](std::size_t i) { return 2 * a[4 * plane + i]; }));
    x.plane(10) = add(x.plane(0), x.plane(9));
    x.plane(3).row(2) = twice(x.plane(2).row(12));
    for (std::size_t i = 0; i < plane; ++i) want[10 * plane + i] = a[i] + 3 * a[9 * plane + i];
    for (std::size_t i = 0; i < 17; ++i) want[3 * plane + 2 * 17 + i] = 2 * a[2 * plane + 12 * 17 + i];
    check_equal(x, want);
    const sk::vector<unsigned> by_plane = sum.by_row(x.flat());
    check_equal(by_plane, expected(11, [&](std::size_t p) {
                    return std::accumulate(want.begin() + static_cast<std::ptrdiff_t>(p * plane),
                                           want.begin() + static_cast<std::ptrdiff_t>((p + 1) * plane), 0u);
                }));
    const sk::tensor<unsigned, 4> y({2, 3, 5, 7}, numbers<unsigned>(210).begin());
    const sk::matrix<unsigned> last = twice(y.plane(1, 2));
    check_equal(last, expected(35, [&](std::size_t i) { return 2 * numbers<unsigned>(210)[175 + i]; }));
}

TEST_CASE("tensors and the host", "[tensor][host]")
{
    sk::tensor<double, 3> x(3, 4, 5);
    REQUIRE(x.size() == 60);
    {
        auto h = sk::host(x);
        h(2, 3, 4) = 7;
        h(1, 0, 2) = 5;
    }
    REQUIRE(values(x)[59] == 7);
    REQUIRE(values(x)[22] == 5);
    sk::tensor<float, 4> y({2, 3, 4, 5}, 1.5f);
    {
        auto h = sk::host(y);
        h(1, 2, 3, 4) = 7;
        REQUIRE(h(1, 2, 3, 3) == 1.5f);
    }
    REQUIRE(values(y)[119] == 7);
    std::vector<float> mine(24, 2.0f);
    {
        sk::tensor<float, 3> z(sk::borrow, mine.data(), {2, 3, 4});
        z = sk::map(SKELRT_FN((float a) { return a + 1.0f; }))(z);
    }
    REQUIRE(mine == std::vector<float>(24, 3.0f));
    sk::tensor<float, 4> empty;
    REQUIRE(empty.empty());
    swap(empty, y);
    REQUIRE(y.empty());
    REQUIRE(empty.extents() == extents4{2, 3, 4, 5});
}
