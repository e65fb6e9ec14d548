// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

using namespace test;

namespace
{

template <class T>
using element = typename T::value;

/// Small whole numbers that are not 0.
template <class T>
std::vector<T> divisors(std::size_t n)
{
    auto v = numbers<T>(n, 7);
    for (T& x : v) x = static_cast<T>(x + 1);
    return v;
}

template <class T>
void check_near(const sk::vector<T>& got, const std::vector<double>& want, double relative)
{
    const auto g = values(got);
    REQUIRE(g.size() == want.size());
    for (std::size_t i = 0; i < g.size(); ++i) {
        CAPTURE(i);
        REQUIRE(static_cast<double>(g[i]) == Approx(want[i]).epsilon(relative).margin(relative));
    }
}

} // namespace

TEST_CASE("arithmetic of whole numbers is the loop's", "[operators][order]")
{
    const auto n = sizes();
    const auto a = numbers<int>(n, 1), b = numbers<int>(n, 2), c = divisors<int>(n);
    const auto x = vector_of(a), y = vector_of(b), z = vector_of(c);
    sk::vector<int> r = (x + y) * (x - y);
    check_equal(r, expected(n, [&](std::size_t i) { return (a[i] + b[i]) * (a[i] - b[i]); }));
    r = x / z + y % z - -x;
    check_equal(r, expected(n, [&](std::size_t i) { return a[i] / c[i] + b[i] % c[i] + a[i]; }));
    r = 100 - x * 3 + 7 / z;
    check_equal(r, expected(n, [&](std::size_t i) { return 100 - a[i] * 3 + 7 / c[i]; }));
    r = sk::abs(x - y) + sk::min(x, y) * sk::max(x, 5) + sk::max(-3, -y);
    check_equal(r, expected(n, [&](std::size_t i) {
                    return std::abs(a[i] - b[i]) + std::min(a[i], b[i]) * std::max(a[i], 5) + std::max(-3, -b[i]);
                }));
}

TEST_CASE("comparisons and conditions are elements of bool", "[operators]")
{
    const auto n = sizes();
    const auto a = numbers<int>(n, 1), b = numbers<int>(n, 2);
    const auto x = vector_of(a), y = vector_of(b);
    const auto check = [&](const sk::vector<bool>& got, auto f) {
        check_equal(values(got), expected(n, [&](std::size_t i) { return bool(f(a[i], b[i])); }));
    };
    check(x == y, [](int p, int q) { return p == q; });
    check(x != y, [](int p, int q) { return p != q; });
    check(x < y, [](int p, int q) { return p < q; });
    check(x <= y, [](int p, int q) { return p <= q; });
    check(x > y, [](int p, int q) { return p > q; });
    check(x >= y, [](int p, int q) { return p >= q; });
    check(3 < y, [](int, int q) { return 3 < q; });
    check((x < y && y < 8) || !(x != 4), [](int p, int q) { return (p < q && q < 8) || p == 4; });
    check(x || y, [](int p, int q) { return p || q; });
    check(!x, [](int p, int) { return !p; });
    const sk::vector<bool> smaller = x < y;
    const sk::vector<int> r = sk::where(smaller, x, 2 * y) + sk::where(y == 3, 1, 0);
    check_equal(r, expected(n, [&](std::size_t i) { return (a[i] < b[i] ? a[i] : 2 * b[i]) + (b[i] == 3 ? 1 : 0); }));
}

TEST_CASE("all and any of a condition", "[operators][reduce]")
{
    const auto n = sizes();
    const auto a = numbers<float>(n);
    const auto x = vector_of(a);
    sk::vector<float> y = x;
    REQUIRE(sk::all(x == y));
    REQUIRE_FALSE(sk::any(x != y));
    REQUIRE(sk::all(x >= 0.0f));
    REQUIRE_FALSE(sk::any(x < 0.0f));
    if (n == 0) return;
    sk::host(y)[n / 2] = -1;
    REQUIRE_FALSE(sk::all(x == y));
    REQUIRE(sk::any(x != y));
    REQUIRE(sk::any(sk::cast<bool>(y + 1.0f)) == (n > 1));
}

TEST_CASE("types are converted as C++ converts them", "[operators]")
{
    const sk::vector<float> f;
    const sk::vector<double> d;
    const sk::vector<int> i;
    const sk::vector<unsigned> u;
    const sk::vector<short> s;
    const sk::vector<unsigned char> c;
    const sk::vector<bool> b;
    const sk::vector<long> l;
    STATIC_REQUIRE(std::is_same_v<element<decltype(f * d)>, double>);
    STATIC_REQUIRE(std::is_same_v<element<decltype(i + f)>, float>);
    STATIC_REQUIRE(std::is_same_v<element<decltype(f + 1)>, float>);
    STATIC_REQUIRE(std::is_same_v<element<decltype(f + 1.0)>, double>);
    STATIC_REQUIRE(std::is_same_v<element<decltype(i + u)>, unsigned>);
    STATIC_REQUIRE(std::is_same_v<element<decltype(s + s)>, int>);
    STATIC_REQUIRE(std::is_same_v<element<decltype(c * c)>, int>);
    STATIC_REQUIRE(std::is_same_v<element<decltype(b + b)>, int>);
    STATIC_REQUIRE(std::is_same_v<element<decltype(-c)>, int>);
    STATIC_REQUIRE(std::is_same_v<element<decltype(i + l)>, long>);
    STATIC_REQUIRE(std::is_same_v<element<decltype(i < f)>, bool>);
    STATIC_REQUIRE(std::is_same_v<element<decltype(sk::min(s, s))>, short>);
    STATIC_REQUIRE(std::is_same_v<element<decltype(sk::sqrt(f))>, float>);
    STATIC_REQUIRE(std::is_same_v<element<decltype(sk::sqrt(i))>, double>);
    STATIC_REQUIRE(std::is_same_v<element<decltype(sk::pow(f, 2))>, float>);
    STATIC_REQUIRE(std::is_same_v<element<decltype(sk::cast<char>(f))>, char>);
    STATIC_REQUIRE_FALSE(std::is_convertible_v<decltype(i < f), bool>); // of elements: sk::all
}

TEST_CASE("mixed types give the values of C++", "[operators]")
{
    const std::size_t n = 1000;
    const auto bytes = expected(n, [](std::size_t i) { return static_cast<unsigned char>(i * 7); });
    const auto shorts = expected(n, [](std::size_t i) { return static_cast<short>(i * 37 - 20'000); });
    const auto words = expected(n, [](std::size_t i) { return static_cast<unsigned>(i * 4'000'000); });
    const auto ints = expected(n, [](std::size_t i) { return static_cast<int>(i) - 500; });
    const auto c = vector_of(bytes);
    const auto s = vector_of(shorts);
    const auto u = vector_of(words);
    const auto k = vector_of(ints);
    const sk::vector<int> sum = c + c * s;
    check_equal(sum, expected(n, [&](std::size_t i) { return bytes[i] + bytes[i] * shorts[i]; }));
    const sk::vector<unsigned> wrapped = u - k; // ints become unsigned
    check_equal(wrapped, expected(n, [&](std::size_t i) { return words[i] - static_cast<unsigned>(ints[i]); }));
    const sk::vector<bool> below = k < u;
    check_equal(values(below), expected(n, [&](std::size_t i) { return static_cast<unsigned>(ints[i]) < words[i]; }));
    const sk::vector<float> scaled = k * 0.5f;
    check_equal(scaled, expected(n, [&](std::size_t i) { return static_cast<float>(ints[i]) * 0.5f; }));
    const sk::vector<unsigned char> back = sk::cast<unsigned char>(c + 300);
    check_equal(back, expected(n, [&](std::size_t i) { return static_cast<unsigned char>(bytes[i] + 300); }));
    const sk::vector<long> wide = sk::cast<long>(u) * 1000;
    check_equal(wide, expected(n, [&](std::size_t i) { return static_cast<long>(words[i]) * 1000; }));
    const sk::vector<unsigned> same = sk::abs(u) + sk::abs(c);
    check_equal(same, expected(n, [&](std::size_t i) { return words[i] + bytes[i]; }));
    const sk::vector<int> truncated = sk::cast<int>(k * 0.25f);
    check_equal(truncated,
                expected(n, [&](std::size_t i) { return static_cast<int>(static_cast<float>(ints[i]) * 0.25f); }));
}

TEMPLATE_TEST_CASE("functions of cmath, element by element", "[operators]", float, double)
{
    const std::size_t n = 4099;
    const auto a = expected(n, [](std::size_t i) { return static_cast<TestType>(i % 100 + 1) / TestType{16}; });
    const auto x = vector_of(a);
    const double eps = 16 * std::numeric_limits<TestType>::epsilon();
    const auto near = [&](const sk::vector<TestType>& got, auto f) {
        check_near(got, expected(n, [&](std::size_t i) { return static_cast<double>(f(static_cast<double>(a[i]))); }),
                   eps);
    };
    near(sk::sqrt(x * x), [](double v) { return v; });
    near(sk::exp(-x), [](double v) { return std::exp(-v); });
    near(sk::log(x), [](double v) { return std::log(v); });
    near(sk::sin(x), [](double v) { return std::sin(v); });
    near(sk::cos(x), [](double v) { return std::cos(v); });
    near(sk::sin(x) / sk::tan(x), [](double v) { return std::cos(v); });
    near(sk::pow(x, 2), [](double v) { return v * v; });
    near(sk::pow(2, -x), [](double v) { return std::pow(2.0, -v); });
    near(sk::pow(x, sk::sqrt(x)), [](double v) { return std::pow(v, std::sqrt(v)); });
    near(sk::floor(x) + sk::ceil(x), [](double v) { return std::floor(v) + std::ceil(v); });
    near(sk::abs(1 - x), [](double v) { return std::abs(1 - v); });
}

TEST_CASE("functions of whole numbers are of doubles", "[operators]")
{
    const sk::vector<int> x{1, 4, 9, 16};
    check_near<double>(sk::sqrt(x), {1, 2, 3, 4}, 1e-15);
    check_near<double>(sk::pow(x, 2), {1, 16, 81, 256}, 1e-15);
}

TEST_CASE("compound assignment stores into containers", "[operators][order]")
{
    const auto n = sizes();
    const auto a = numbers<float>(n, 1), b = numbers<float>(n, 2);
    auto x = vector_of(a);
    const auto y = vector_of(b);
    x += 2.0f * y;
    check_equal(x, expected(n, [&](std::size_t i) { return a[i] + 2 * b[i]; }));
    (x -= y) *= 3; // gives the container
    check_equal(x, expected(n, [&](std::size_t i) { return (a[i] + b[i]) * 3; }));
    x /= y + 1.0f;
    x += x;
    check_equal(x, expected(n, [&](std::size_t i) { return (a[i] + b[i]) * 3 / (b[i] + 1) * 2; }));
    auto s = vector_of(numbers<short>(n, 3)); // C++ promotes to int, and converts back
    s += s;
    s -= 1;
    s %= 5;
    check_equal(s, expected(n, [&, c = numbers<short>(n, 3)](std::size_t i) {
                    return static_cast<short>((2 * c[i] - 1) % 5);
                }));
}

TEST_CASE("compound assignment stores into views", "[operators][view][order]")
{
    const std::size_t n = 1000;
    const auto a = numbers<int>(n);
    auto x = vector_of(a);
    x.range(10, 500) += x.range(11, 500); // values as they were
    x.range(600, 5) *= 2;
    check_equal(x, expected(n, [&](std::size_t i) {
                    return i >= 10 && i < 510 ? a[i] + a[i + 1] : i >= 600 && i < 605 ? 2 * a[i] : a[i];
                }));
    const std::size_t rows = 37, cols = 29;
    const auto m = numbers<int>(rows * cols, 5);
    auto M = matrix_of(rows, cols, m);
    M.row(3) -= M.row(4) + 1;
    auto right = M.sub(0, 20, rows, 9);
    right *= -1;
    M.column(0) += x.range(700, rows);
    check_equal(M, expected(rows * cols, [&](std::size_t i) {
                    const std::size_t r = i / cols, c = i % cols;
                    int v = m[i] - (r == 3 ? m[i + cols] + 1 : 0);
                    if (c >= 20) v = -v;
                    return c == 0 ? v + a[700 + r] : v;
                }));
}

TEST_CASE("operators on matrices, tensors, and what stands along one side", "[operators]")
{
    const std::size_t rows = 33, cols = 65;
    const auto a = numbers<int>(rows * cols), r = numbers<int>(rows, 2), c = numbers<int>(cols, 3);
    const auto m = matrix_of(rows, cols, a);
    const auto x = vector_of(r), y = vector_of(c);
    const sk::matrix<int> made = m * sk::per_row(x) - sk::per_column(y) * 2 + sk::per_row(x) * sk::per_column(y);
    check_equal(made, expected(rows * cols, [&](std::size_t i) {
                    const int p = r[i / cols], q = c[i % cols];
                    return a[i] * p - q * 2 + p * q;
                }));
    sk::tensor<int, 3> t({3, 11, 65}, a.begin());
    t = t * t + 1;
    check_equal(t, expected(3 * 11 * 65, [&](std::size_t i) { return a[i] * a[i] + 1; }));
    const sk::matrix<int> symmetric = m.sub(0, 0, 33, 33) + sk::transpose(m.sub(0, 0, 33, 33));
    check_equal(symmetric, expected(33 * 33, [&](std::size_t i) {
                    return a[i / 33 * cols + i % 33] + a[i % 33 * cols + i / 33];
                }));
}

TEST_CASE("user functions, operators and reductions make one call", "[operators][fusion]")
{
    const auto n = sizes();
    const auto a = numbers<int>(n, 1), b = numbers<int>(n, 2);
    const auto x = vector_of(a), y = vector_of(b);
    const auto square = sk::map(SKELRT_FN((int v) { return v * v; }));
    const auto sum = sk::reduce(sk::plus, 0);
    int want = 0;
    for (std::size_t i = 0; i < n; ++i) want += (a[i] - b[i]) * (a[i] - b[i]) + 3;
    REQUIRE(sum(square(x - y) + 3) == want);
    const auto difference = x - y; // a call by a name may be used more than once
    REQUIRE(sum(difference * difference + 3) == want);
    const sk::vector<int> kept = sk::filter(SKELRT_FN((int v) { return v > 3; }))(x + y);
    std::vector<int> wanted;
    for (std::size_t i = 0; i < n; ++i)
        if (a[i] + b[i] > 3) wanted.push_back(a[i] + b[i]);
    check_equal(kept, wanted);
    const sk::vector<int> running = sk::scan(sk::plus)(x + 1);
    int so_far = 0;
    check_equal(running, expected(n, [&](std::size_t i) { return so_far += a[i] + 1; }));
}

TEST_CASE("scalars and reductions stand beside containers", "[operators][scalar]")
{
    const std::size_t n = 4096;
    const auto a = expected(n, [](std::size_t i) { return static_cast<float>(i % 8); });
    const auto x = vector_of(a);
    const auto sum = sk::reduce(sk::plus, 0.0f);
    sk::scalar<float> s = sum(x), half = s / 2;
    const float total = 3.5f * static_cast<float>(n);
    sk::vector<float> y = x * s - half;
    check_equal(y, expected(n, [&](std::size_t i) { return a[i] * total - total / 2; }));
    y = (x + x) / sum(x); // computed now
    check_equal(y, expected(n, [&](std::size_t i) { return 2 * a[i] / total; }));
    s += half;
    s *= 2;
    REQUIRE(s.get() == total * 3);
}

TEST_CASE("reductions by row and by column are operands as containers are", "[operators]")
{
    const std::size_t rows = 37, cols = 53;
    const auto a = numbers<int>(rows * cols, 1);
    const sk::matrix<int> m = matrix_of(rows, cols, a);
    std::vector<int> of_rows(rows), of_columns(cols);
    for (std::size_t i = 0; i < a.size(); ++i) of_rows[i / cols] += a[i], of_columns[i % cols] += a[i];
    const auto sum = sk::reduce(sk::plus, 0);
    const sk::vector<int> twice = sum.by_row(m) * 2;
    check_equal(twice, expected(rows, [&](std::size_t r) { return of_rows[r] * 2; }));
    const sk::vector<int> back = -sum.by_column(m) + 1;
    check_equal(back, expected(cols, [&](std::size_t c) { return 1 - of_columns[c]; }));
    const sk::vector<double> share = sum.by_row(m) / sk::cast<double>(sum.by_row(m * m) + 1);
    check_equal(share, expected(rows, [&](std::size_t r) {
                    int squares = 1;
                    for (std::size_t c = 0; c < cols; ++c) squares += a[r * cols + c] * a[r * cols + c];
                    return of_rows[r] / static_cast<double>(squares);
                }));
    sk::vector<int> least = sk::where(sum.by_row(m) > 3, 3, sum.by_row(m));
    check_equal(least, expected(rows, [&](std::size_t r) { return std::min(of_rows[r], 3); }));
    least += sum.by_row(m) / 2;
    check_equal(least, expected(rows, [&](std::size_t r) { return std::min(of_rows[r], 3) + of_rows[r] / 2; }));
    sk::matrix<int> rest = m - sk::per_row(sum.by_row(m) + 1);
    check_equal(rest, expected(a.size(), [&](std::size_t i) { return a[i] - of_rows[i / cols] - 1; }));
    REQUIRE(sk::any(sum.by_row(m) == of_rows[rows - 1]));
}

TEST_CASE("functions of reductions to one value stay where these are", "[operators][scalar]")
{
    const auto a = expected(1000, [](std::size_t i) { return static_cast<double>(i % 5); });
    const auto x = vector_of(a);
    const auto sum = sk::reduce(sk::plus, 0.0);
    const double squares = 6000, total = 2000;
    const sk::scalar<double> norm = sk::sqrt(sum(x * x));
    REQUIRE(norm.get() == Approx(std::sqrt(squares)));
    const sk::vector<double> unit = (x - sum(x) / 1000.0) / sk::sqrt(sum(x * x));
    const auto u = values(unit);
    for (std::size_t i = 0; i < u.size(); ++i) REQUIRE(u[i] == Approx((a[i] - 2) / std::sqrt(squares)));
    const double larger = sk::max(sum(x), sum(x * x));
    REQUIRE(larger == squares);
    REQUIRE(sum(x) + sum(x * x) == total + squares); // the host's, as of any numbers
}

TEST_CASE("a call of scalars and values is a value of the host's", "[operators][scalar]")
{
    const sk::scalar<float> a = 6.0f, b = 4.0f;
    const float quotient = a / b + 1;
    REQUIRE(quotient == 2.5f);
    REQUIRE(a > b);
    REQUIRE_FALSE(a == b);
    const sk::scalar<double> wide = a * 0.5;
    REQUIRE(wide.get() == 3.0);
    const sk::scalar<bool> less = a < b;
    REQUIRE_FALSE(less.get());
    float x = 0;
    if (a - b > 1.0f) x = sk::max(a, b);
    REQUIRE(x == 6.0f);
}

TEST_CASE("operands of two shapes are an error", "[operators]")
{
    sk::vector<int> x(10, 1), y(11, 1), z;
    REQUIRE_THROWS_WITH(z = x + y, Catch::Contains("operator +") && Catch::Contains("a vector of 11"));
    REQUIRE_THROWS_WITH(x += y, Catch::Contains("operator +"));
    check_equal(x, std::vector<int>(10, 1));
    sk::matrix<int> m(2, 5, 1);
    REQUIRE_THROWS_WITH(z = x * m, Catch::Contains("a matrix of 2 x 5"));
    REQUIRE_THROWS_AS(x.range(0, 5) -= y, sk::error);
}
