// SPDX-License-Identifier: BSD-3-Clause
#include "monoids.hpp"

#include <numeric>

using namespace test;

namespace
{

auto scan_sizes()
{
    return GENERATE(as<std::size_t>(), 0, 1, 2, 3, 31, 33, 64, 65, 257, 511, 513, 1025, 4099, 70'021, 1'000'003);
}

auto shapes()
{
    return GENERATE(table<std::size_t, std::size_t>({{0, 5},
                                                     {5, 0},
                                                     {1, 1},
                                                     {1, 5000},
                                                     {5000, 1},
                                                     {3, 7},
                                                     {65, 33},
                                                     {33, 64},
                                                     {7, 20'011},
                                                     {2003, 19},
                                                     {300, 257}}));
}

/// The running values of x[first], x[first + step], ... in place, behind `start` if there is one.
template <class T, class Op>
void running(std::vector<T>& x, std::size_t first, std::size_t step, std::size_t count, const Op& op, const T* start,
             bool exclusive)
{
    std::vector<T> before;
    if (start) before.push_back(*start);
    for (std::size_t i = 0; i < count; ++i) {
        T& at = x[first + i * step];
        const T with = before.empty() ? at : static_cast<T>(op(before.back(), at));
        if (exclusive) at = before.back();
        else at = with;
        before.push_back(with);
    }
}

template <class T, class Op>
std::vector<T> scanned(std::vector<T> x, const Op& op, const T* start = nullptr, bool exclusive = false)
{
    running(x, 0, 1, x.size(), op, start, exclusive);
    return x;
}

template <class T, class Op>
std::vector<T> scanned_rows(std::vector<T> x, std::size_t rows, std::size_t cols, const Op& op,
                            const T* start = nullptr, bool exclusive = false)
{
    for (std::size_t r = 0; r < rows; ++r) running(x, r * cols, 1, cols, op, start, exclusive);
    return x;
}

template <class T, class Op>
std::vector<T> scanned_columns(std::vector<T> x, std::size_t rows, std::size_t cols, const Op& op,
                               const T* start = nullptr, bool exclusive = false)
{
    for (std::size_t c = 0; c < cols; ++c) running(x, c, cols, rows, op, start, exclusive);
    return x;
}

const auto add = [](auto a, auto b) { return a + b; };
const affine first_map{5, 11};

} // namespace

TEST_CASE("scan of a vector", "[scan]")
{
    const auto n = scan_sizes();
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    const int start = 1000;
    sk::vector<int> y = sk::scan(sk::plus)(x);
    check_equal(y, scanned(a, add));
    y = sk::scan(sk::plus, start)(x);
    check_equal(y, scanned(a, add, &start));
    y = sk::exclusive_scan(sk::plus, start)(x);
    check_equal(y, scanned(a, add, &start, true));
    check_equal(x, a);
}

TEST_CASE("scans keep the order of their operands", "[scan][order]")
{
    const auto n = scan_sizes();
    const auto f = affine_maps(n);
    const auto x = vector_of(f);
    sk::vector<affine> y = sk::scan(compose)(x);
    check_equal(y, scanned(f, compose));
    y = sk::scan(compose, first_map)(x);
    check_equal(y, scanned(f, compose, &first_map));
    y = sk::exclusive_scan(compose, first_map)(x);
    check_equal(y, scanned(f, compose, &first_map, true));
    const auto m = matrices(n);
    const sk::vector<square2> z = sk::scan(matrix_product)(vector_of(m));
    check_equal(z, scanned(m, matrix_product));
    const sk::vector<int> first = sk::scan(keep_first)(vector_of(numbers<int>(n)));
    check_equal(first, scanned(numbers<int>(n), keep_first));
}

TEMPLATE_TEST_CASE("scan of every kind of number", "[scan][types]", float, double, long, short, unsigned char)
{
    const std::size_t n = 20'003;
    std::vector<TestType> a(n);
    for (std::size_t i = 0; i < n; ++i) a[i] = static_cast<TestType>((i * 7) % 97);
    const auto x = vector_of(a);
    const sk::vector<TestType> largest = sk::scan(sk::maximum)(x);
    check_equal(largest, scanned(a, [](TestType p, TestType q) { return p < q ? q : p; }));
    using sum_type = decltype(TestType{} + TestType{});
    std::vector<sum_type> wide(a.begin(), a.end());
    const sk::vector<sum_type> y = sk::scan(sk::plus)(x); // whole numbers: exact in a float up to 2^24
    check_equal(y, scanned(wide, add));
}

TEST_CASE("scan in place", "[scan]")
{
    const auto n = scan_sizes();
    const auto a = numbers<unsigned>(n);
    auto x = vector_of(a);
    const unsigned start = 3;
    x = sk::scan(sk::plus)(x);
    x = sk::exclusive_scan(sk::plus, start)(x);
    const auto once = scanned(a, add);
    check_equal(x, scanned(once, add, &start, true));
}

TEST_CASE("scans that a GPU and the cores share", "[scan][plan]")
{
    const auto gpu = devices().has(sk::device::cuda) ? sk::device::cuda : sk::device::opencl;
    if (!devices().has(gpu) || !devices().has(sk::device::cpu) || sk::ranks() > 1) return; // others may have no GPU
    const auto n = GENERATE(as<std::size_t>(), 1, 2, 100, 5000, 70'021, 1'000'003);
    const double part = GENERATE(0.1, 0.5, 0.9);
    const unsigned pieces = GENERATE(0u, 3u);
    CAPTURE(n, part, pieces);
    const sk::follow told(sk::plan({{gpu, part, 0, pieces}, {sk::device::cpu, 1 - part}}));

    const auto f = affine_maps(n); // their order matters
    const auto x = vector_of(f);
    sk::vector<affine> y = sk::scan(compose)(x);
    check_equal(y, scanned(f, compose));
    y = sk::scan(compose, first_map)(x);
    check_equal(y, scanned(f, compose, &first_map));
    y = sk::exclusive_scan(compose, first_map)(x); // twice in a row: y comes from both
    y = sk::exclusive_scan(compose, first_map)(y);
    const auto once = scanned(f, compose, &first_map, true);
    check_equal(y, scanned(once, compose, &first_map, true));
    y = x;
    y = sk::scan(compose)(y); // in place: the cores wait
    check_equal(y, scanned(f, compose));

    const auto a = numbers<int>(n), b = numbers<int>(n, 2);
    const auto multiply = sk::map(SKELRT_FN((int p, int q, int by) { return (long)(p * q * by); }));
    const sk::vector<long> z = sk::scan(sk::plus)(multiply(vector_of(a), vector_of(b), 3));
    std::vector<long> products(n);
    for (std::size_t i = 0; i < n; ++i) products[i] = 3L * a[i] * b[i];
    check_equal(z, scanned(products, add));
}

TEST_CASE("a map fuses under a scan", "[scan][fusion]")
{
    const auto n = scan_sizes();
    const auto a = numbers<int>(n), b = numbers<int>(n, 2);
    const auto x = vector_of(a), y = vector_of(b);
    const auto multiply = sk::map(SKELRT_FN((int p, int q, int by) { return (long)(p * q * by); }));
    const sk::vector<long> z = sk::scan(sk::plus)(multiply(x, y, 3));
    check_equal(z, scanned(expected(n, [&](std::size_t i) { return 3L * a[i] * b[i]; }), add));
    const auto make = sk::map(SKELRT_FN((sk::index1 i, unsigned by) {
        affine f;
        f.slope = 2u * (unsigned)(i.i % 5) + 3u;
        f.offset = (unsigned)i.i * by + 1u;
        return f;
    }));
    const sk::vector<affine> g = sk::scan(compose)(make(sk::shape(n), 7u));
    check_equal(g, scanned(affine_maps(n), compose));
}

TEST_CASE("scan of a matrix, as if it were one vector", "[scan]")
{
    const auto [rows, cols] = shapes();
    const auto f = affine_maps(rows * cols);
    const auto m = matrix_of(rows, cols, f);
    sk::matrix<affine> y = sk::scan(compose)(m);
    REQUIRE(y.rows() == rows);
    REQUIRE(y.cols() == cols);
    check_equal(y, scanned(f, compose));
    y = sk::exclusive_scan(compose, first_map)(m);
    check_equal(y, scanned(f, compose, &first_map, true));
}

TEST_CASE("scan by row", "[scan][lines]")
{
    const auto [rows, cols] = shapes();
    const auto f = affine_maps(rows * cols);
    auto m = matrix_of(rows, cols, f);
    sk::matrix<affine> y = sk::scan(compose).by_row(m);
    check_equal(y, scanned_rows(f, rows, cols, compose));
    y = sk::scan(compose, first_map).by_row(m);
    check_equal(y, scanned_rows(f, rows, cols, compose, &first_map));
    m = sk::exclusive_scan(compose, first_map).by_row(m);
    check_equal(m, scanned_rows(f, rows, cols, compose, &first_map, true));
}

TEST_CASE("scan by column", "[scan][lines]")
{
    const auto [rows, cols] = shapes();
    const auto f = affine_maps(rows * cols);
    auto m = matrix_of(rows, cols, f);
    sk::matrix<affine> y = sk::scan(compose).by_column(m);
    check_equal(y, scanned_columns(f, rows, cols, compose));
    y = sk::scan(compose, first_map).by_column(m);
    check_equal(y, scanned_columns(f, rows, cols, compose, &first_map));
    m = sk::exclusive_scan(compose, first_map).by_column(m);
    check_equal(m, scanned_columns(f, rows, cols, compose, &first_map, true));
}

TEST_CASE("long rows and long columns", "[scan][lines]")
{
    const auto [rows, cols] = GENERATE(table<std::size_t, std::size_t>({{3, 300'007}, {100'003, 3}, {2, 140'001}}));
    const auto a = numbers<float>(rows * cols);
    const auto m = matrix_of(rows, cols, a);
    const float start = 2;
    sk::matrix<float> y = sk::scan(sk::plus).by_row(m);
    check_equal(y, scanned_rows(a, rows, cols, add));
    y = sk::exclusive_scan(sk::plus, start).by_column(m);
    check_equal(y, scanned_columns(a, rows, cols, add, &start, true));
}

TEST_CASE("sums of fused positions, by row and by column", "[scan][fusion][lines]")
{
    const auto [rows, cols] = shapes();
    const auto at = sk::map(SKELRT_FN((sk::index2 i, int a) { return (int)(i.row * 3 + i.col) + a; }));
    const auto a = numbers<int>(rows * cols);
    const auto m = matrix_of(rows, cols, a);
    const auto v = expected(
        rows * cols, [&, cols = cols](std::size_t i) { return static_cast<int>(i / cols * 3 + i % cols) + a[i]; });
    sk::matrix<int> y = sk::scan(sk::plus).by_row(at(m));
    check_equal(y, scanned_rows(v, rows, cols, add));
    y = sk::scan(sk::plus).by_column(at(m));
    check_equal(y, scanned_columns(v, rows, cols, add));
    y = sk::scan(sk::plus)(at(m));
    check_equal(y, scanned(v, add));
}

TEST_CASE("parts of containers are scanned, and scanned into", "[scan][view]")
{
    const std::size_t rows = 60, cols = 90;
    const auto f = affine_maps(rows * cols);
    const auto x = vector_of(f);
    auto m = matrix_of(rows, cols, f);

    sk::vector<affine> y = sk::scan(compose)(x.range(100, 3001));
    check_equal(y, scanned(std::vector(f.begin() + 100, f.begin() + 3101), compose));

    std::vector<affine> want = f, part;
    for (std::size_t r = 0; r < rows; ++r) part.push_back(f[r * cols + 5]);
    part = scanned(part, compose);
    for (std::size_t r = 0; r < rows; ++r) want[r * cols + 8] = part[r];
    m.column(8) = sk::scan(compose)(m.column(5));
    check_equal(m, want);

    part.clear();
    for (std::size_t r = 0; r < 20; ++r)
        for (std::size_t c = 0; c < 57; ++c) part.push_back(want[(r + 10) * cols + c + 20]);
    sk::matrix<affine> z = sk::scan(compose)(m.sub(10, 20, 20, 57));
    check_equal(z, scanned(part, compose));
    z = sk::scan(compose).by_row(m.sub(10, 20, 20, 57));
    check_equal(z, scanned_rows(part, 20, 57, compose));
    z = sk::exclusive_scan(compose, first_map).by_column(m.sub(10, 20, 20, 57));
    check_equal(z, scanned_columns(part, 20, 57, compose, &first_map, true));

    const auto into = scanned_columns(part, 20, 57, compose);
    for (std::size_t r = 0; r < 20; ++r)
        for (std::size_t c = 0; c < 57; ++c) want[(r + 10) * cols + c + 20] = into[r * 57 + c];
    m.sub(10, 20, 20, 57) = sk::scan(compose).by_column(m.sub(10, 20, 20, 57));
    check_equal(m, want);

    auto shifted = vector_of(f);
    shifted.range(1, 999) = sk::scan(compose)(shifted.range(0, 999)); // overlaps: through a temporary
    want = f;
    const auto head = scanned(std::vector(f.begin(), f.begin() + 999), compose);
    std::copy(head.begin(), head.end(), want.begin() + 1);
    check_equal(shifted, want);
}

TEST_CASE("chains of scans do not wait for one another", "[scan][async]")
{
    const std::size_t n = 50'021;
    auto a = numbers<unsigned>(n);
    auto x = vector_of(a);
    const auto half = sk::map(SKELRT_FN((unsigned v) { return v % 7u + 1u; }));
    const auto sum = sk::scan(sk::plus);
    for (int i = 0; i < 5; ++i) {
        x = sum(half(x));
        for (auto& v : a) v = v % 7 + 1;
        a = scanned(a, add);
    }
    check_equal(x, a);
    REQUIRE(sk::reduce(sk::maximum)(x).get() == a.back());
}

TEST_CASE("the same scan twice gives the same bits", "[scan]")
{
    const std::size_t n = 1'300'007;
    const auto a = expected(n, [](std::size_t i) { return 1.0f / static_cast<float>(i + 1); });
    const auto x = vector_of(a);
    const sk::vector<float> once = sk::scan(sk::plus)(x), again = sk::scan(sk::plus)(x);
    if (!test::one_device()) return; // devices may change between two calls
    check_equal(again, values(once));
    REQUIRE(values(once).back() == Approx(std::accumulate(a.begin(), a.end(), 0.0)).epsilon(1e-2));
}
