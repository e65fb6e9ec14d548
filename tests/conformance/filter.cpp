// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <stdexcept>

using namespace test;

namespace
{

SKELRT_SHARED(struct particle {
    float x, y, z;
    int charge;
};)

const auto below = sk::filter(SKELRT_FN((int v, int bound) { return v < bound; }));

template <class T, class Keep>
std::vector<T> kept(const std::vector<T>& a, Keep keep)
{
    std::vector<T> y;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (keep(i)) y.push_back(a[i]);
    return y;
}

} // namespace

TEST_CASE("filter: every size; none, few, some, all", "[filter]")
{
    const auto n = sizes();
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    for (const int bound : {-1, 1, 5, 9, 100}) {
        CAPTURE(n, bound);
        const sk::vector<int> y = below(x, bound);
        check_equal(y, kept(a, [&](std::size_t i) { return a[i] < bound; }));
    }
}

TEST_CASE("filter: types", "[filter]")
{
    const std::size_t n = 30'011;
    const auto check = [&]<class T>(T, const auto& small) {
        const auto a = numbers<T>(n);
        const sk::vector<T> y = small(vector_of(a));
        check_equal(y, kept(a, [&](std::size_t i) { return a[i] < T(4); }));
    };
    check(float{}, sk::filter(SKELRT_FN((float v) { return v < 4; })));
    check(double{}, sk::filter(SKELRT_FN((double v) { return v < 4; })));
    check(long{}, sk::filter(SKELRT_FN((long v) { return v < 4; })));
    check(short{}, sk::filter(SKELRT_FN((short v) { return v < 4; })));
    using byte = unsigned char;
    check(byte{}, sk::filter(SKELRT_FN((unsigned char v) { return v < 4; })));
    // A predicate may return any number.
    const auto odd = numbers<int>(n);
    const sk::vector<int> y = sk::filter(SKELRT_FN((int v) { return v % 2; }))(vector_of(odd));
    check_equal(y, kept(odd, [&](std::size_t i) { return odd[i] % 2 != 0; }));
}

TEST_CASE("filter: structs", "[filter]")
{
    const std::size_t n = 20'021;
    const auto a = numbers<int>(n);
    const auto all = expected(n, [&](std::size_t i) {
        return particle{static_cast<float>(i), static_cast<float>(a[i]), 0.5f, a[i] - 5};
    });
    const sk::vector<particle> y = sk::filter(SKELRT_FN((particle p) { return p.charge > 0; }))(vector_of(all));
    const auto got = values(y);
    const auto want = kept(all, [&](std::size_t i) { return all[i].charge > 0; });
    REQUIRE(got.size() == want.size());
    for (std::size_t i = 0; i < got.size(); ++i) REQUIRE((got[i].x == want[i].x && got[i].charge == want[i].charge));
}

TEST_CASE("filter: several operands, uniforms, positions, whole vectors", "[filter]")
{
    const std::size_t n = 12'347;
    const auto a = numbers<float>(n);
    const auto flags = numbers<int>(n, 2);
    const auto x = vector_of(a);
    const auto f = vector_of(flags);
    const sk::vector<float> y =
        sk::filter(SKELRT_FN((float v, int flag, float low) { return flag > 3 && v > low; }))(x, f, 2.0f);
    check_equal(y, kept(a, [&](std::size_t i) { return flags[i] > 3 && a[i] > 2; }));
    const sk::vector<float> third = sk::filter(SKELRT_FN((sk::index1 i, float v) { return i.i % 3 == 0 && v > 1; }))(x);
    check_equal(third, kept(a, [&](std::size_t i) { return i % 3 == 0 && a[i] > 1; }));
    const sk::vector<int> wanted{1, 0, 0, 1, 1, 0, 1, 0, 1, 0};
    const auto keep = values(wanted);
    const sk::vector<int> y2 =
        sk::filter(SKELRT_FN((int v, sk::vec<int> wanted) { return wanted[v] != 0; }))(f, wanted);
    check_equal(y2, kept(flags, [&](std::size_t i) { return keep[static_cast<std::size_t>(flags[i])] != 0; }));
}

TEST_CASE("filter: map calls are fused, and give the elements", "[filter]")
{
    const std::size_t n = 23'456;
    const auto a = numbers<int>(n), b = numbers<int>(n, 2);
    const auto add = sk::map(SKELRT_FN((int p, int q) { return p + q; }));
    const auto sums = expected(n, [&](std::size_t i) { return a[i] + b[i]; });
    const sk::vector<int> y = below(add(vector_of(a), vector_of(b)), 7);
    check_equal(y, kept(sums, [&](std::size_t i) { return sums[i] < 7; }));
    // As the other operand.
    const sk::vector<int> z = sk::filter(SKELRT_FN((int v, int sum) { return v > 2 && sum < 7; }))(
        vector_of(a), add(vector_of(a), vector_of(b)));
    check_equal(z, kept(a, [&](std::size_t i) { return a[i] > 2 && sums[i] < 7; }));
    // Without elements: the numbers that are no multiple of 2, 3 or 5.
    const auto number = sk::generate(SKELRT_FN((sk::index1 i) { return (int)i.i; }));
    const sk::vector<int> rest =
        sk::filter(SKELRT_FN((int v) { return v % 2 != 0 && v % 3 != 0 && v % 5 != 0; }))(number(sk::shape(5000)));
    const auto all = expected(5000, [](std::size_t i) { return static_cast<int>(i); });
    check_equal(rest, kept(all, [](std::size_t i) { return i % 2 != 0 && i % 3 != 0 && i % 5 != 0; }));
}

TEST_CASE("filter: a stencil's result is stored first", "[filter][stencil]")
{
    const std::size_t n = 9'001;
    const auto a = numbers<int>(n);
    const auto steps = sk::stencil(SKELRT_FN((sk::hood1<int> u) { return u(1) - u(0); }), sk::border::nearest());
    const auto at = expected(n, [&](std::size_t i) { return i + 1 < n ? a[i + 1] - a[i] : 0; });
    const sk::vector<int> y = below(steps(vector_of(a)), -2);
    check_equal(y, kept(at, [&](std::size_t i) { return at[i] < -2; }));
    const sk::vector<int> z =
        sk::filter(SKELRT_FN((int v, int step) { return v > 3 && step > 0; }))(vector_of(a), steps(vector_of(a)));
    check_equal(z, kept(a, [&](std::size_t i) { return a[i] > 3 && at[i] > 0; }));
}

TEST_CASE("filter: in place, and chained", "[filter][asynchronous]")
{
    const std::size_t n = 60'000;
    auto a = numbers<int>(n);
    auto x = vector_of(a);
    const auto twice = sk::map(SKELRT_FN((int v) { return 2 * v; }));
    const auto sum = sk::reduce(sk::plus, 0);
    for (const int bound : {8, 14, 20, 26}) {
        x = below(x, bound);
        a = kept(a, [&](std::size_t i) { return a[i] < bound; });
        const int total = sum(x);
        int want = 0;
        for (const int v : a) want += v;
        REQUIRE(total == want);
        x = twice(x);
        for (int& v : a) v *= 2;
    }
    check_equal(x, a);
    // The result is a container as any other: copies, parts, scans, whole reads.
    const sk::vector<int> y = below(x, 30);
    const auto b = kept(a, [&](std::size_t i) { return a[i] < 30; });
    auto copy = y;
    check_equal(copy, b);
    const sk::vector<int> middle = below(y.range(100, 5000), 10);
    const std::vector<int> part(b.begin() + 100, b.begin() + 5100);
    check_equal(middle, kept(part, [&](std::size_t i) { return part[i] < 10; }));
    const sk::vector<int> index(b.size(), 0);
    const sk::vector<int> first = sk::gather(y, index);
    check_equal(first, std::vector<int>(b.size(), b[0]));
    sk::vector<int> z = sk::scan(sk::plus)(y);
    int running = 0;
    check_equal(z, expected(b.size(), [&](std::size_t i) { return running += b[i]; }));
    z = below(z, -1);
    REQUIRE(z.empty());
    z = below(z, 1);
    REQUIRE(z.empty());
}

TEST_CASE("filter: matrices, rows, columns; views as destinations", "[filter]")
{
    const std::size_t rows = 213, cols = 77;
    const auto a = numbers<int>(rows * cols);
    const auto m = matrix_of(rows, cols, a);
    const sk::vector<int> y = below(m, 4);
    check_equal(y, kept(a, [&](std::size_t i) { return a[i] < 4; }));
    const sk::vector<int> all = below(m, 100);
    check_equal(all, a);
    const sk::vector<int> none = below(m, 0);
    REQUIRE(none.empty());
    const auto column = expected(rows, [&](std::size_t r) { return a[r * cols + 9]; });
    const sk::vector<int> z = below(m.column(9), 6);
    check_equal(z, kept(column, [&](std::size_t i) { return column[i] < 6; }));
    const sk::vector<int> upper = sk::filter(SKELRT_FN((sk::index2 i, int v) { return i.col > i.row && v > 0; }))(m);
    check_equal(upper, kept(a, [&](std::size_t i) { return i % cols > i / cols && a[i] > 0; }));
    sk::vector<int> into(z.size() + 20, -1);
    into.range(10, z.size()) = below(m.column(9), 6);
    const auto want = values(z);
    check_equal(into, expected(into.size(),
                               [&](std::size_t i) { return i < 10 || i >= 10 + want.size() ? -1 : want[i - 10]; }));
}

TEST_CASE("filter: an exception in the predicate reaches the caller", "[filter][errors]")
{
    if (!test::devices().has(sk::device::cpu)) return; // device code throws nothing
    const sk::only cpu(sk::device::cpu);
    const auto picky = sk::filter(sk::function(
        [](int v) {
            if (v == 77) throw std::runtime_error("77");
            return v > 0;
        },
        "(int v) { return v > 0; }", __FILE__, __LINE__));
    std::vector<int> a(50'000, 1);
    a[45'000] = 77;
    auto x = vector_of(a);
    sk::vector<int> y(3, 5);
    REQUIRE_THROWS_AS(y = picky(x), std::runtime_error);
    check_equal(y, std::vector<int>(3, 5));
    // So do those of the call that should have made the operand.
    const auto fails = sk::map(sk::function(
        [](int v) {
            if (v == 77) throw std::runtime_error("77");
            return v;
        },
        "(int v) { return v; }", __FILE__, __LINE__));
    REQUIRE_THROWS_AS(
        [&] {
            x = fails(x);
            y = below(x, 3);
        }(),
        std::runtime_error);
}

TEST_CASE("filter: room that earlier results left behind", "[filter]")
{
    const std::size_t n = (std::size_t{1} << 19) + 77; // what is smaller is not kept
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    sk::vector<int> stays, plus;
    std::vector<int> expected_stay, expected_plus;
    for (const int bound : {5, 9, 3, 100, 5, 5, -1, 7, 1, 9}) {
        CAPTURE(bound);
        const auto expected = kept(a, [&](std::size_t i) { return a[i] < bound; });
        sk::vector<int> y = below(x, bound);
        if (y.size() > 0)
            plus = sk::map(SKELRT_FN((int v, int b) { return v + b; }))(y, bound); // y may go before it is read
        if (bound == 7) {
            y.append(3, bound);
            stays = y;
            expected_stay = expected;
            expected_stay.insert(expected_stay.end(), 3, bound);
        }
        if (bound == 3) sk::evict(y);
        if (bound == 9) check_equal(y, expected);
        expected_plus = expected;
        for (int& v : expected_plus) v += bound;
        if (!expected.empty()) check_equal(plus, expected_plus);
    }
    check_equal(stays, expected_stay);
}

TEST_CASE("filter: a result that is cut takes what a matrix's rows do", "[filter]")
{
    const std::size_t rows = 1024, cols = 600;
    const auto a = numbers<int>(rows * cols);
    sk::matrix<int> m(rows, cols);
    {
        auto h = sk::host_write(m);
        std::copy(a.begin(), a.end(), h.begin());
    }
    for (const int bound : {5, 9, 5}) {
        CAPTURE(bound);
        auto expected = kept(a, [&](std::size_t i) { return a[i] < bound; });
        sk::vector<int> y = below(m, bound);
        check_equal(y, expected);
        const std::size_t n = y.size();
        sk::matrix<int> row = sk::reshape(std::move(y), 1, n); // lies in the room, too
        row = sk::map(SKELRT_FN((int v) { return v + 1; }))(row);
        for (int& v : expected) ++v;
        check_equal(row, expected);
    }
}
