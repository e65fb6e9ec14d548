// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <algorithm>
#include <list>
#include <numeric>

#include <sys/mman.h>

using namespace test;

namespace
{

const auto twice = sk::map(SKELRT_FN((int a) { return 2 * a; }));
const auto add = sk::map(SKELRT_FN((int a, int b) { return a + 10 * b; }));

/// Pages that the system takes back.
class memory_of_its_own
{
public:
    explicit memory_of_its_own(std::size_t bytes)
        : bytes_(bytes), data_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
    {
        REQUIRE(data_ != MAP_FAILED);
    }
    ~memory_of_its_own() { munmap(data_, bytes_); }
    memory_of_its_own(const memory_of_its_own&) = delete;
    memory_of_its_own& operator=(const memory_of_its_own&) = delete;
    void* data() const { return data_; }

private:
    std::size_t bytes_;
    void* data_;
};

template <class Container>
void check_size(const Container& c, std::size_t size)
{
    REQUIRE(c.size() == size);
    REQUIRE(c.empty() == (size == 0));
}

} // namespace

TEST_CASE("vectors from everything", "[container]")
{
    check_size(sk::vector<int>(), 0);
    check_size(sk::vector<int>(0), 0);
    check_equal(sk::vector<int>(5), std::vector<int>(5, 0));
    check_equal(sk::vector<int>(5, 7), std::vector<int>(5, 7));
    check_equal(sk::vector<int>{1, 2, 3}, std::vector<int>{1, 2, 3});
    const std::list<int> l{4, 5, 6};
    check_equal(sk::vector<int>(l.begin(), l.end()), std::vector<int>{4, 5, 6});
    const std::vector<int> v{7, 8};
    const sk::vector deduced(v.begin(), v.end());
    static_assert(std::is_same_v<decltype(deduced), const sk::vector<int>>);
    check_equal(deduced, v);
    check_equal(sk::vector<double>(300'001, 2.5), std::vector<double>(300'001, 2.5));
    sk::vector<int> raw(1000, sk::uninitialized);
    check_size(raw, 1000);
    raw = twice(sk::vector<int>(1000, 4));
    check_equal(raw, std::vector<int>(1000, 8));
}

TEST_CASE("matrices from everything", "[container]")
{
    check_size(sk::matrix<int>(), 0);
    check_equal(sk::matrix<int>(2, 3), std::vector<int>(6, 0));
    check_equal(sk::matrix<int>(2, 3, 7), std::vector<int>(6, 7));
    const sk::matrix<int> m{{1, 2, 3}, {4, 5, 6}};
    REQUIRE(m.rows() == 2);
    REQUIRE(m.cols() == 3);
    check_equal(m, std::vector<int>{1, 2, 3, 4, 5, 6});
    const std::list<int> l{1, 2, 3, 4};
    check_equal(sk::matrix<int>(2, 2, l.begin()), std::vector<int>{1, 2, 3, 4});
    REQUIRE_THROWS_WITH((sk::matrix<int>{{1, 2, 3}, {4, 5}}), Catch::Contains("2") && Catch::Contains("3"));
    const sk::matrix<int> none(0, 4);
    REQUIRE(none.rows() == 0);
    REQUIRE(none.cols() == 4);
}

TEST_CASE("copies are deep", "[container]")
{
    const auto n = sizes();
    const auto a = numbers<int>(n);
    auto x = vector_of(a);
    sk::vector<int> y = x;
    y = twice(y);
    check_equal(x, a);
    check_equal(y, expected(n, [&](std::size_t i) { return 2 * a[i]; }));
    x = y;
    y = twice(y);
    check_equal(x, expected(n, [&](std::size_t i) { return 2 * a[i]; }));
    check_equal(y, expected(n, [&](std::size_t i) { return 4 * a[i]; }));
}

TEST_CASE("copies while calls are in flight", "[container][async]")
{
    const std::size_t n = 20'011;
    sk::vector<int> x(n, 1);
    std::vector<sk::vector<int>> history;
    for (int k = 0; k < 20; ++k) {
        x = twice(x);
        history.push_back(x);
        if (k % 5 == 0) x = sk::vector<int>(history.back());
    }
    x = sk::vector<int>(n, -1);
    for (int k = 0; k < 20; ++k) check_equal(history[static_cast<std::size_t>(k)], std::vector<int>(n, 2 << k));
}

TEST_CASE("a copy under an open view has what was written so far", "[container][host]")
{
    const auto n = sizes();
    if (n == 0 || sk::ranks() > 1) return; // several ranks: an error
    sk::vector<int> x(n, 1);
    for (int k = 0; k < 2; ++k) { // of host memory, then of what tasks know
        {
            auto h = sk::host(x);
            for (int& v : h) v = 5 + k;
            sk::vector<int> y = x, z;
            z = x;
            h[0] = 7;
            y = twice(y);
            check_equal(y, std::vector<int>(n, 2 * (5 + k)));
            check_equal(z, std::vector<int>(n, 5 + k));
        }
        x = twice(x);
    }
}

TEST_CASE("over ranks a copy under an open view is refused", "[container][host]")
{
    if (sk::ranks() == 1) return;
    sk::vector<int> x(20'011, 1);
    x = twice(x);
    {
        const auto h = sk::host(x);
        REQUIRE_THROWS_WITH(sk::vector<int>(x), Catch::Contains("let it go out of scope first"));
    }
    const sk::vector<int> y = x;
    check_equal(y, std::vector<int>(20'011, 2));
}

TEST_CASE("matrices have value semantics, too", "[container]")
{
    const auto a = numbers<int>(37 * 41);
    auto m = matrix_of(37, 41, a);
    const sk::matrix<int> copy = m;
    m = twice(m);
    check_equal(copy, a);
    const sk::matrix<int> moved = std::move(m);
    REQUIRE(moved.rows() == 37);
    REQUIRE(moved.cols() == 41);
    check_equal(moved, expected(a.size(), [&](std::size_t i) { return 2 * a[i]; }));
}

TEST_CASE("move, swap and self-assignment", "[container]")
{
    const auto a = numbers<int>(3000, 1), b = numbers<int>(500, 2);
    auto x = vector_of(a);
    x = twice(x);
    sk::vector<int> y = std::move(x);
    REQUIRE(x.empty()); // NOLINT: moved-from containers are empty, and usable
    x = vector_of(b);
    swap(x, y);
    check_equal(x, expected(a.size(), [&](std::size_t i) { return 2 * a[i]; }));
    check_equal(y, b);
    x.swap(y);
    check_equal(x, b);
    const auto& self = x;
    x = self;
    check_equal(x, b);
}

TEST_CASE("resize and clear", "[container]")
{
    const std::size_t n = GENERATE(0, 1, 100, 5000);
    const auto a = numbers<int>(n);
    auto x = vector_of(a);
    x = twice(x);
    x.resize(n + 10, -3);
    check_equal(x, expected(n + 10, [&](std::size_t i) { return i < n ? 2 * a[i] : -3; }));
    x = twice(x);
    x.resize(n / 2);
    check_equal(x, expected(n / 2, [&](std::size_t i) { return 4 * a[i]; }));
    x.clear();
    REQUIRE(x.empty());
    x.resize(3, 1);
    check_equal(x, std::vector<int>{1, 1, 1});
}

TEST_CASE("resize of a matrix keeps the common part", "[container]")
{
    const auto a = numbers<int>(20 * 30);
    auto m = matrix_of(20, 30, a);
    m = twice(m);
    m.resize(25, 10, -1);
    check_equal(m, expected(25 * 10, [&](std::size_t i) { return i / 10 < 20 ? 2 * a[i / 10 * 30 + i % 10] : -1; }));
    m.resize(2, 12, 5);
    check_equal(m, expected(24, [&](std::size_t i) { return i % 12 < 10 ? 2 * a[i / 12 * 30 + i % 12] : 5; }));
}

TEST_CASE("host views read and write", "[container][host]")
{
    const std::size_t n = 5000;
    sk::vector<int> x(n, 1);
    x = twice(x);
    {
        auto h = sk::host(x);
        REQUIRE(h.size() == n);
        REQUIRE(std::accumulate(h.begin(), h.end(), 0) == static_cast<int>(2 * n));
        std::iota(h.begin(), h.end(), 0);
        h.back() = -1;
    }
    x = twice(x);
    {
        auto h = sk::host_write(x);
        REQUIRE_FALSE(h.empty());
        for (std::size_t i = 0; i < n; ++i) h[i] = static_cast<int>(3 * i);
    }
    x = twice(x);
    const auto& constant = x;
    const auto h = sk::host(constant), again = sk::host_read(x); // readers do not exclude each other
    static_assert(std::is_const_v<std::remove_reference_t<decltype(h[0])>>);
    for (std::size_t i = 0; i < n; ++i) REQUIRE(h[i] == static_cast<int>(6 * i));
    REQUIRE(again.front() == 0);
    const sk::vector<int> y = twice(x); // nor calls that read
    check_equal(y, expected(n, [](std::size_t i) { return static_cast<int>(12 * i); }));
}

TEST_CASE("a view that was open before the first task", "[container][host]")
{
    const std::size_t n = 20'011;
    sk::vector<int> x(n, 1);
    {
        const auto h = sk::host_read(x);
        const sk::vector<int> y = twice(x);
        check_equal(y, std::vector<int>(n, 2));
        REQUIRE(h[n - 1] == 1);
    }
    x = twice(x);
    x = twice(x);
    check_equal(x, std::vector<int>(n, 4));
}

TEST_CASE("host views of matrices", "[container][host]")
{
    sk::matrix<int> m(30, 40, 1);
    m = twice(m);
    {
        auto h = sk::host(m);
        REQUIRE(h.rows() == 30);
        REQUIRE(h.cols() == 40);
        h(29, 39) = 5;
        h[7][3] = 6;
        REQUIRE(h[7].size() == 40);
    }
    const sk::matrix<int> k = twice(m);
    const auto h = sk::host(k);
    REQUIRE(h(29, 39) == 10);
    REQUIRE(h(7, 3) == 12);
    REQUIRE(std::accumulate(h.begin(), h.end(), 0) == 4 * 1198 + 22);
}

TEST_CASE("moved host views keep the access, once", "[container][host]")
{
    sk::vector<int> x(10, 1);
    {
        auto first = sk::host(x);
        const auto second = std::move(first);
        second[3] = 9;
    }
    x = twice(x); // a view that was left open would exclude this
    REQUIRE(values(x)[3] == 18);
}

TEST_CASE("borrowed memory gets the results", "[container][borrow]")
{
    std::vector<int> mine = numbers<int>(10'007, 1), other = numbers<int>(10'007, 2);
    const auto a = mine, b = other;
    {
        sk::vector<int> x(sk::borrow, mine.data(), mine.size());
        const sk::vector<int> y(sk::borrow, other.data(), other.size());
        x = add(x, y);
        x = add(x, y);
        check_equal(x, expected(a.size(), [&](std::size_t i) { return a[i] + 20 * b[i]; }));
        x = twice(x);
    }
    check_equal(mine, expected(a.size(), [&](std::size_t i) { return 2 * (a[i] + 20 * b[i]); }));
    check_equal(other, b);
}

TEST_CASE("borrowed memory may go when its container has gone", "[container][borrow]")
{
    constexpr std::size_t n = 500'000;
    const auto slowly = sk::map(SKELRT_FN((unsigned a) {
        for (int i = 0; i < 100; ++i) a = a * 3 + 1;
        return a;
    }));
    const auto after = [](unsigned a) {
        for (int i = 0; i < 200; ++i) a = a * 3 + 1;
        return a;
    };
    for (unsigned round = 0; round < 3; ++round) {
        sk::vector<unsigned> y;
        {
            const memory_of_its_own mine(n * sizeof(unsigned)); // who uses it later crashes
            auto* const first = static_cast<unsigned*>(mine.data());
            std::iota(first, first + n, round);
            const sk::vector<unsigned> x(sk::borrow, first, n);
            y = slowly(x); // may be under way when x goes
        }
        y = slowly(y);
        check_equal(y, expected(n, [&](std::size_t i) { return after(static_cast<unsigned>(i) + round); }));
    }
}

TEST_CASE("borrowed memory at any address", "[container][borrow]")
{
    std::vector<double> mine(5000, 1.0);
    const auto twice_d = sk::map(SKELRT_FN((double a) { return 2 * a; }));
    {
        sk::matrix<double> m(sk::borrow, mine.data() + 1, 33, 77);
        m = twice_d(m);
    }
    for (std::size_t i = 0; i < mine.size(); ++i) REQUIRE(mine[i] == (i >= 1 && i < 1 + 33 * 77 ? 2 : 1));
}

TEST_CASE("a copy of a borrowed container is its own", "[container][borrow]")
{
    std::vector<int> mine(3000, 1);
    sk::vector<int> copy;
    {
        const sk::vector<int> x(sk::borrow, mine.data(), mine.size());
        copy = x;
    }
    std::fill(mine.begin(), mine.end(), 99);
    check_equal(copy, std::vector<int>(3000, 1));
}

TEST_CASE("scalars", "[container][scalar]")
{
    sk::scalar<int> s;
    REQUIRE(s.get() == 0);
    s = 5;
    const sk::scalar<int> copy = s;
    s = sk::reduce(sk::plus, 0)(sk::vector<int>(1000, 3));
    REQUIRE(copy.get() == 5);
    const int converted = s;
    REQUIRE(converted == 3000);
    const sk::scalar<int> moved = std::move(s);
    REQUIRE(moved.get() == 3000);
}

TEST_CASE("more tiles than elements", "[container][tiles]")
{
    const std::size_t n = GENERATE(1, 2, 5, 100), tiles = GENERATE(2, 7, 64, 1000);
    const auto a = numbers<int>(n);
    auto x = vector_of(a);
    x.set_tiles(tiles);
    sk::vector<int> y(n);
    y.set_tiles(tiles / 2 + 1);
    y = twice(x);
    x = add(x, y);
    check_equal(x, expected(n, [&](std::size_t i) { return 21 * a[i]; }));
    REQUIRE(sk::reduce(sk::plus)(x).get() == 21 * std::accumulate(a.begin(), a.end(), 0));
    sk::matrix<int> m(3, n, 2);
    m.set_tiles(tiles);
    m = twice(m);
    check_equal(m, std::vector<int>(3 * n, 4));
}

TEST_CASE("containers with different tiles meet in one call", "[container][tiles]")
{
    const std::size_t n = 10'000;
    const auto a = numbers<int>(n, 1), b = numbers<int>(n, 2);
    auto x = vector_of(a), y = vector_of(b);
    x.set_tiles(3);
    y.set_tiles(8);
    sk::vector<int> z(n);
    z.set_tiles(5);
    z = add(x, y);
    const auto want = expected(n, [&](std::size_t i) { return a[i] + 10 * b[i]; });
    check_equal(z, want);
    const int s = sk::reduce(sk::plus, 0)(add(x, y));
    REQUIRE(s == std::accumulate(want.begin(), want.end(), 0));
}

TEST_CASE("containers of containers", "[container]")
{
    std::vector<sk::vector<int>> many;
    for (int k = 0; k < 50; ++k) {
        many.emplace_back(100, k);
        many.back() = twice(many.back());
    }
    many.erase(many.begin(), many.begin() + 25);
    for (int k = 0; k < 25; ++k) check_equal(many[static_cast<std::size_t>(k)], std::vector<int>(100, 2 * (k + 25)));
}
