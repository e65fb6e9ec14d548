// SPDX-License-Identifier: BSD-3-Clause
/// Vectors that get another size, as std::vector does it.

#include "../conformance/monoids.hpp"

#include <array>
#include <list>
#include <random>

using namespace test;

namespace
{

const auto twice = sk::map(SKELRT_FN((int a) { return 2 * a; }));

template <class T>
T number(unsigned i)
{
    return static_cast<T>(i % 101);
}
template <>
affine number<affine>(unsigned i)
{
    return {i, i + 7};
}
template <>
std::array<int, 3> number<std::array<int, 3>>(unsigned i)
{
    return {static_cast<int>(i), -1, 5};
}

template <class T>
std::vector<T> numbers_from(std::size_t n, unsigned seed)
{
    return expected(n, [&](std::size_t i) { return number<T>(seed + static_cast<unsigned>(i)); });
}

template <class V>
auto at(V& v, std::size_t i)
{
    return v.begin() + static_cast<std::ptrdiff_t>(i);
}

/// The same changes of both, one after the other; asynchronous until the end.
template <class T>
void change_at_random(sk::vector<T>& x, std::vector<T>& v, unsigned seed)
{
    std::mt19937 random(seed);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % (n + 1)); };
    for (int step = 0; step < 25; ++step) {
        const std::size_t where = below(v.size()), k = below(40);
        const auto more = numbers_from<T>(k, random());
        const sk::vector<T> added = vector_of(more);
        switch (random() % 10) {
        case 0:
            x.append(more.begin(), more.end());
            v.insert(v.end(), more.begin(), more.end());
            break;
        case 1:
            x.append(added);
            v.insert(v.end(), more.begin(), more.end());
            break;
        case 2:
            x.insert(where, added.range(0, k));
            v.insert(at(v, where), more.begin(), more.end());
            break;
        case 3:
            x.insert(where, k, number<T>(k));
            v.insert(at(v, where), k, number<T>(static_cast<unsigned>(k)));
            break;
        case 4:
            x.insert(where, number<T>(77));
            v.insert(at(v, where), number<T>(77));
            break;
        case 5: {
            const std::size_t count = below(std::min<std::size_t>(v.size() - where, 60));
            x.erase(where, count);
            v.erase(at(v, where), at(v, where + count));
            break;
        }
        case 6: {
            const std::vector<T> self = v;
            x.insert(where, x);
            v.insert(at(v, where), self.begin(), self.end());
            if (v.size() > 5000) {
                x.resize(300);
                v.resize(300);
            }
            break;
        }
        case 7: {
            const std::size_t first = below(v.size()), count = below(v.size() - first);
            const std::vector<T> self(at(v, first), at(v, first + count));
            x.append(x.range(first, count));
            v.insert(v.end(), self.begin(), self.end());
            break;
        }
        case 8:
            x.resize(v.size() + k, number<T>(3));
            v.resize(v.size() + k, number<T>(3));
            break;
        default:
            x.assign(more);
            v.assign(more.begin(), more.end());
            break;
        }
        REQUIRE(x.size() == v.size());
    }
}

} // namespace

TEMPLATE_TEST_CASE("a vector changes its size as std::vector does", "[container][sizes]", char, int, double, affine,
                   (std::array<int, 3>))
{
    const auto seed = GENERATE(range(1u, 5u));
    const std::size_t n = GENERATE(0, 1, 2, 997);
    auto v = numbers_from<TestType>(n, seed);
    auto x = vector_of(v);
    change_at_random(x, v, seed * 31 + static_cast<unsigned>(n));
    check_equal(x, v);
}

TEST_CASE("what elements are added from", "[container][sizes]")
{
    sk::vector<int> x{1, 2};
    x.append({3, 4});
    x.append(2, 5);
    const std::list<int> some{6, 7};
    x.append(some);
    x.append(some.begin(), some.end());
    x.append(std::array<int, 1>{8});
    x.append(twice(x.range(0, 2)));
    x.append(sk::vector<int>());
    check_equal(x, std::vector<int>{1, 2, 3, 4, 5, 5, 6, 7, 6, 7, 8, 2, 4});

    const sk::matrix<int> m{{1, 2}, {3, 4}};
    x.assign({9});
    x.insert(0, m.column(1));
    x.insert(3, m.row(0));
    x.insert(1, {0, 0});
    x.insert(5, 2, -1);
    check_equal(x, std::vector<int>{2, 0, 0, 4, 9, -1, -1, 1, 2});
    x.erase(8);
    x.erase(0, 3);
    check_equal(x, std::vector<int>{4, 9, -1, -1, 1});
    {
        const auto h = sk::host_read(m);
        x.assign(h.begin(), h.end());
    }
    check_equal(x, std::vector<int>{1, 2, 3, 4});
    x.erase(0, 4);
    REQUIRE(x.empty());
    x.append(1, 3);
    check_equal(x, std::vector<int>{3});
}

TEST_CASE("sizes change while calls are in flight", "[container][sizes][async]")
{
    const auto a = numbers<int>(20'011);
    auto x = vector_of(a);
    std::vector<int> want = a;
    for (int k = 0; k < 8; ++k) {
        x = twice(x);
        for (int& w : want) w *= 2;
        x.append(x.range(5, 100));
        want.insert(want.end(), want.begin() + 5, want.begin() + 105);
        x.erase(17, 50);
        want.erase(want.begin() + 17, want.begin() + 67);
    }
    check_equal(x, want);
}

TEST_CASE("views keep what they showed when the size changes", "[container][sizes][view]")
{
    const auto a = numbers<int>(500);
    auto x = vector_of(a);
    const auto part = x.range(100, 50);
    const auto later = twice(x);
    x.insert(0, 7, 3);
    x.erase(200, 10);
    sk::vector<int> shown, doubled;
    shown = twice(part);
    doubled = later;
    check_equal(shown, expected(50, [&](std::size_t i) { return 2 * a[100 + i]; }));
    check_equal(doubled, expected(500, [&](std::size_t i) { return 2 * a[i]; }));
    REQUIRE(x.size() == 497);
}

TEST_CASE("assign keeps the shape's views and takes any shape", "[container][sizes]")
{
    sk::vector<int> x(4, 1);
    const auto part = x.range(1, 2);
    x.assign({5, 6, 7, 8});
    sk::vector<int> shown;
    shown = twice(part);
    check_equal(shown, std::vector<int>{12, 14});
    x.assign(3, 2);
    check_equal(x, std::vector<int>{2, 2, 2});
    x.assign(0, 2);
    REQUIRE(x.empty());

    sk::matrix<int> m;
    m.assign(2, 3, 4);
    check_equal(m, std::vector<int>(6, 4));
    const std::list<int> some{1, 2, 3, 4};
    m.assign(2, 2, some.begin());
    m.assign({{5, 6, 7}});
    REQUIRE(m.rows() == 1);
    check_equal(m, std::vector<int>{5, 6, 7});

    sk::tensor<int, 3> t;
    t.assign({1, 2, 2}, some.begin());
    check_equal(t, std::vector<int>{1, 2, 3, 4});
    t.assign({2, 1, 1}, 9);
    check_equal(t, std::vector<int>{9, 9});
}

TEST_CASE("positions that are not there change nothing", "[container][sizes]")
{
    using Catch::Contains;
    sk::vector<int> x{1, 2, 3};
    REQUIRE_THROWS_WITH(x.insert(4, 9), Contains("vector::insert") && Contains("4") && Contains("0 to 3"));
    REQUIRE_THROWS_WITH(x.erase(1, 3), Contains("vector::erase") && Contains("3") && Contains("at most 2"));
    REQUIRE_THROWS_AS(x.erase(4, 0), sk::error);
    REQUIRE_THROWS_AS(x.erase(3), sk::error);
    REQUIRE_THROWS_AS(x.erase(1, static_cast<std::size_t>(-1)), sk::error);
    REQUIRE_THROWS_AS(x.insert(2, static_cast<std::size_t>(1) << 60, 5), sk::error);
    const auto two = sk::map(SKELRT_FN((int a, int b) { return a + b; }));
    REQUIRE_THROWS_AS(x.append(two(x, x.range(0, 2))), sk::error);
    check_equal(x, std::vector<int>{1, 2, 3});
    x.erase(3, 0);
    x.insert(3, 4);
    check_equal(x, std::vector<int>{1, 2, 3, 4});
}

TEST_CASE("a vector that grows leaves borrowed memory behind", "[container][sizes][borrow]")
{
    std::vector<int> mine{1, 2, 3, 4};
    sk::vector<int> x(sk::borrow, mine.data(), mine.size());
    x = twice(x);
    x.append({5});
    check_equal(x, std::vector<int>{2, 4, 6, 8, 5});
    sk::vector<int> y(sk::borrow, mine.data(), mine.size());
    y.erase(0, 4);
    REQUIRE(y.empty());
}

TEST_CASE("tensors resize", "[container][sizes][tensor]")
{
    const std::array<std::size_t, 3> from =
        GENERATE(as<std::array<std::size_t, 3>>(), std::array<std::size_t, 3>{3, 4, 5},
                 std::array<std::size_t, 3>{1, 1, 1}, std::array<std::size_t, 3>{0, 2, 3});
    const std::array<std::size_t, 3> to =
        GENERATE(as<std::array<std::size_t, 3>>(), std::array<std::size_t, 3>{5, 2, 7},
                 std::array<std::size_t, 3>{2, 6, 1}, std::array<std::size_t, 3>{2, 0, 3});
    const auto a = numbers<int>(from[0] * from[1] * from[2]);
    sk::tensor<int, 3> t(from, a.begin());
    t.resize(to, -1);
    REQUIRE(t.extents() == to);
    check_equal(t, expected(to[0] * to[1] * to[2], [&](std::size_t i) {
                    const std::size_t p = i / (to[1] * to[2]), r = i / to[2] % to[1], c = i % to[2];
                    return p < from[0] && r < from[1] && c < from[2] ? a[(p * from[1] + r) * from[2] + c] : -1;
                }));

    sk::tensor<int, 4> f({2, 3, 2, 2}, 1);
    f.resize({2, 2, 3, 2}, 4);
    check_equal(f, expected(24, [](std::size_t i) { return i / 2 % 3 < 2 ? 1 : 4; }));
}

namespace
{

/// Of a size that divides nothing.
struct three {
    unsigned char a, b, c;
    friend bool operator==(const three&, const three&) = default;
};

template <class T>
bool is_filled_with(const sk::vector<T>& v, const T& value)
{
    const auto here = sk::host_read(v);
    return std::all_of(here.begin(), here.end(), [&](const T& x) { return x == value; });
}

} // namespace

TEST_CASE("containers of a value, of few elements and of more than one core fills", "[container][fill]")
{
    for (const std::size_t n : {0, 1, 10'922, 10'923, 65'537, 3'000'001}) {
        CAPTURE(n);
        CHECK(is_filled_with(sk::vector<three>(n, three{1, 2, 3}), three{1, 2, 3}));
        CHECK(is_filled_with(sk::vector<double>(n, -2.5), -2.5));
    }
    CHECK(is_filled_with(sk::vector<std::array<float, 20>>(100'003, std::array<float, 20>{7, 8}), {7, 8}));
}
