// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

using namespace test;

SKELRT_SHARED(struct sortable {
    int cell;
    float charge;
    int number;
};)

static bool operator==(const sortable& a, const sortable& b)
{
    return a.cell == b.cell && a.charge == b.charge && a.number == b.number;
}

namespace
{

const auto by_cell = SKELRT_FN((sortable a, sortable b) { return a.cell < b.cell; });
const auto descending = SKELRT_FN((auto a, auto b) { return b < a; });

/// Around runs, tiles and shares.
auto sort_sizes()
{
    return GENERATE(as<std::size_t>(), 0, 1, 2, 3, 7, 8, 9, 31, 65, 1000, 2047, 2049, 4097, 50'021, 300'007);
}

/// Values all over the type's range.
template <class T>
std::vector<T> scattered(std::size_t n, unsigned seed = 7)
{
    std::vector<T> v(n);
    std::uint64_t state = seed * 0x9E3779B97F4A7C15u + 1;
    for (auto& x : v) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const auto bits = static_cast<std::int64_t>(state >> 11) - (std::int64_t{1} << 52);
        if constexpr (std::is_floating_point_v<T>) x = static_cast<T>(static_cast<double>(bits) * 0x1p-40);
        else x = static_cast<T>(bits >> (sizeof(T) < 8 ? 21 : 0));
    }
    return v;
}

template <class T, class Less = std::less<T>>
std::vector<T> sorted(std::vector<T> v, Less less = {})
{
    std::stable_sort(v.begin(), v.end(), less);
    return v;
}

std::vector<sortable> particles(std::size_t n, int cells)
{
    const auto c = scattered<unsigned>(n);
    return expected(n, [&](std::size_t i) {
        return sortable{static_cast<int>(c[i] % static_cast<unsigned>(cells)), static_cast<float>(i % 5),
                        static_cast<int>(i)};
    });
}

} // namespace

TEMPLATE_TEST_CASE("sort of numbers", "[sort]", int, unsigned, long, unsigned long, float, double, short)
{
    const on_devices only;
    const auto a = scattered<TestType>(sort_sizes());
    auto x = vector_of(a);
    const sk::vector<TestType> y = sk::sort(x);
    check_equal(y, sorted(a));
    check_equal(x, a); // untouched
    x = sk::sort(x);
    check_equal(x, sorted(a));
    x = sk::sort(x);
    check_equal(x, sorted(a));
}

TEMPLATE_TEST_CASE("sort in the order of a comparator", "[sort]", int, float, double)
{
    const on_devices only;
    const auto a = scattered<TestType>(sort_sizes());
    auto x = vector_of(a);
    x = sk::sort(x, descending);
    check_equal(x, sorted(a, std::greater<TestType>()));
}

TEST_CASE("sort of structs is stable", "[sort]")
{
    const on_devices only;
    const auto a = particles(sort_sizes(), GENERATE(1, 13, 100'000));
    const auto less = [](const sortable& p, const sortable& q) { return p.cell < q.cell; };
    auto x = vector_of(a);
    const sk::vector<sortable> y = sk::sort(x, by_cell);
    check_equal(y, sorted(a, less));
    x = sk::sort(x, by_cell);
    check_equal(x, sorted(a, less));
}

TEST_CASE("sort of elements that are in some order already", "[sort]")
{
    const on_devices only;
    const std::size_t n = GENERATE(5, 4097, 100'003);
    std::vector<int> up(n);
    std::iota(up.begin(), up.end(), -50'000);
    const std::vector<int> down(up.rbegin(), up.rend()), same(n, 3);
    for (const auto& a : {up, down, same}) {
        auto x = vector_of(a);
        x = sk::sort(x);
        check_equal(x, sorted(a));
        x = sk::sort(x, descending);
        check_equal(x, sorted(a, std::greater<int>()));
    }
}

TEST_CASE("sort: zeros of both signs are equal, infinities at the ends, NaNs behind them", "[sort]")
{
    const on_devices only;
    const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    const std::size_t n = 10'007;
    auto a = numbers<float>(n);
    for (std::size_t i = 0; i < n; ++i) {
        if (i % 5 == 0) a[i] = i % 2 ? 0.0f : -0.0f;
        else if (i % 3 == 0) a[i] = -a[i];
    }
    a[17] = inf, a[18] = -inf;
    auto x = vector_of(a);
    x = sk::sort(x);
    check_equal(x, sorted(a));
    const auto zeros = [](const std::vector<float>& v) {
        return std::count_if(v.begin(), v.end(), [](float f) { return f == 0 && std::signbit(f); });
    };
    CHECK(zeros(values(x)) == zeros(a));

    for (std::size_t i = 0; i < n; i += 7) a[i] = i % 2 ? nan : -nan;
    x = vector_of(a);
    x = sk::sort(x);
    auto got = values(x);
    const auto last = std::find_if(got.begin(), got.end(), [](float f) { return std::isnan(f); });
    CHECK(std::all_of(last, got.end(), [](float f) { return std::isnan(f); }));
    const auto with_sign = [](const std::vector<float>& v) {
        return std::count_if(v.begin(), v.end(), [](float f) { return std::isnan(f) && std::signbit(f); });
    };
    CHECK(with_sign(got) == with_sign(a));
    std::erase_if(a, [](float f) { return std::isnan(f); });
    check_equal(std::vector<float>(got.begin(), last), sorted(a));
}

TEST_CASE("sort by key moves the values along", "[sort]")
{
    const on_devices only;
    const auto n = sort_sizes();
    const auto keys = numbers<int>(n); // many are equal: stability shows
    std::vector<double> v(n);
    std::iota(v.begin(), v.end(), 0.5);
    const auto check = [&](const auto& k, const auto& got, auto before) {
        std::vector<std::size_t> order(n);
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return before(keys[a], keys[b]); });
        check_equal(k, expected(n, [&](std::size_t i) { return keys[order[i]]; }));
        check_equal(got, expected(n, [&](std::size_t i) { return v[order[i]]; }));
    };
    auto k = vector_of(keys);
    auto x = vector_of(v);
    sk::sort_by_key(k, x);
    check(k, x, std::less<int>());
    k = vector_of(keys);
    x = vector_of(v);
    sk::sort_by_key(k, x, descending);
    check(k, x, std::greater<int>());
}

TEST_CASE("sort by key: structs as keys and as values, ranges and columns", "[sort]")
{
    const on_devices only;
    const std::size_t n = GENERATE(11, 5003);
    const auto p = particles(n, 17);
    auto k = vector_of(p);
    auto v = vector_of(p);
    sk::sort_by_key(k, v, by_cell);
    const auto want = sorted(p, [](const sortable& a, const sortable& b) { return a.cell < b.cell; });
    check_equal(k, want);
    check_equal(v, want);

    const auto a = scattered<float>(n * 3);
    auto m = matrix_of(n, 3, a);
    auto ids = vector_of(expected(n + 10, [](std::size_t i) { return static_cast<unsigned char>(i); }));
    sk::sort_by_key(m.column(1), ids.range(5, n));
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t i, std::size_t j) { return a[i * 3 + 1] < a[j * 3 + 1]; });
    check_equal(m, expected(3 * n, [&](std::size_t i) { return i % 3 == 1 ? a[order[i / 3] * 3 + 1] : a[i]; }));
    check_equal(ids, expected(n + 10, [&](std::size_t i) {
                    return static_cast<unsigned char>(i < 5 || i >= n + 5 ? i : order[i - 5] + 5);
                }));
}

TEST_CASE("sort of ranges, rows and columns, into ranges", "[sort]")
{
    const on_devices only;
    const std::size_t n = GENERATE(12, 6007);
    const auto a = scattered<int>(n);
    auto x = vector_of(a);
    const std::size_t first = n / 5, count = n / 2;
    x.range(first, count) = sk::sort(x.range(first, count));
    auto want = a;
    std::sort(want.begin() + static_cast<long>(first), want.begin() + static_cast<long>(first + count));
    check_equal(x, want);
    x = vector_of(a);
    x.range(first + 1, count) = sk::sort(x.range(first, count)); // shifted
    const auto part =
        sorted(std::vector<int>(a.begin() + static_cast<long>(first), a.begin() + static_cast<long>(first + count)));
    want = a;
    std::copy(part.begin(), part.end(), want.begin() + static_cast<long>(first) + 1);
    check_equal(x, want);

    auto m = matrix_of(n / 4, 4, std::vector<int>(a.begin(), a.begin() + static_cast<long>(n / 4 * 4)));
    const auto before = values(m);
    m.column(2) = sk::sort(m.column(1));
    std::vector<int> column;
    for (std::size_t i = 0; i < n / 4; ++i) column.push_back(before[i * 4 + 1]);
    column = sorted(column);
    want = before;
    for (std::size_t i = 0; i < n / 4; ++i) want[i * 4 + 2] = column[i];
    check_equal(m, want);
    m.row(1) = sk::sort(m.row(1), descending);
    std::sort(want.begin() + 4, want.begin() + 8, std::greater<int>());
    check_equal(m, want);
}

TEST_CASE("sort of a map call, and in chains", "[sort]")
{
    const on_devices only;
    const std::size_t n = GENERATE(0, 1, 1000, 70'001);
    const auto a = scattered<int>(n), b = numbers<int>(n);
    const auto x = vector_of(a), y = vector_of(b);
    const auto mixed = sk::map(SKELRT_FN((sk::index1 i, int x, int y, int d) { return x / d + y * (int)(i.i % 3); }));
    const auto halves = sk::map(SKELRT_FN((int x) { return x / 2; }));
    auto want = expected(n, [&](std::size_t i) { return a[i] / 1000 + b[i] * static_cast<int>(i % 3); });
    sk::vector<int> z = sk::sort(mixed(x, y, 1000));
    check_equal(z, want = sorted(want));
    z = halves(z);
    z = sk::sort(z, descending);
    z = sk::sort(halves(z));
    z = halves(z);
    for (int& w : want) w = w / 2 / 2;
    want = sorted(want);
    for (int& w : want) w /= 2;
    check_equal(z, want);
    const auto wide_halves = sk::map(SKELRT_FN((int x) { return (long)(x / 2); }));
    const long total = sk::reduce(sk::plus, 0l)(wide_halves(z));
    CHECK(total == std::accumulate(want.begin(), want.end(), 0l, [](long s, int w) { return s + w / 2; }));
}

TEST_CASE("sort of containers with tiles of their own", "[sort]")
{
    const on_devices only;
    const std::size_t n = 20'011;
    const auto a = scattered<float>(n);
    auto x = vector_of(a);
    x.set_tiles(GENERATE(1, 3, 50));
    sk::vector<float> y(n);
    y.set_tiles(GENERATE(1, 4));
    y = sk::sort(x);
    check_equal(y, sorted(a));
    std::vector<float> memory(a);
    {
        sk::vector<float> borrowed(sk::borrow, memory.data(), n);
        borrowed = sk::sort(borrowed);
    }
    check_equal(memory, sorted(a));
}

TEST_CASE("sort in an order that is none: some of the elements, in some order", "[sort]")
{
    const on_devices only;
    const auto odd = SKELRT_FN((int a, int b) { return (a * 7 + b * 3) % 5 < 3; });
    const auto n = sort_sizes();
    const auto a = expected(n, [](std::size_t i) { return static_cast<int>(i * 7919 % 20'011); });
    auto x = vector_of(a);
    x = sk::sort(x, odd);
    const auto got = values(x);
    REQUIRE(got.size() == n);
    CHECK(std::all_of(got.begin(), got.end(), [](int v) { return v >= 0 && v < 20'011; }));
}

TEST_CASE("sort into another shape is refused", "[sort]")
{
    const on_devices only;
    const sk::matrix<int> m(3, 4, 1);
    const auto same = sk::map(SKELRT_FN((int x) { return x; }));
    sk::vector<int> x(5), y;
    REQUIRE_THROWS_WITH(y = sk::sort(same(m)), Catch::Contains("sorts vectors") && Catch::Contains("3 x 4"));
    REQUIRE_THROWS_WITH(x.range(0, 3) = sk::sort(x), Catch::Contains("5") && Catch::Contains("3"));
    sk::vector<int> v(4);
    REQUIRE_THROWS_WITH(sk::sort_by_key(x, v), Catch::Contains("4 values for 5 keys"));
    REQUIRE_THROWS_WITH(sk::sort_by_key(x, x), Catch::Contains("same elements"));
}
