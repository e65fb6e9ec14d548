// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <numbers>

/// Types of the standard library, and sk::half, in user functions and as elements.
using namespace test;

SKELRT_SHARED(
    using cfloat = std::complex<float>;

    constexpr std::complex<float> turn_left{0.0f, 1.0f};

    struct body {
        std::array<float, 3> at;
        std::complex<float> phase;
        int kind;
    };

    struct sample {
        sk::half low, high;
        unsigned short count;
    };

    inline std::complex<float> turned(std::complex<float> z, float by) { return z * std::polar(1.0f, by); }

    inline float total(const std::array<float, 3>& a) {
        float s = 0;
        for (const float& x : a) s += x;
        return s;
    })

namespace
{

template <class T>
std::vector<std::complex<T>> complex_numbers(std::size_t n, unsigned seed = 1)
{
    const auto re = numbers<T>(n, seed), im = numbers<T>(n, seed + 7);
    std::vector<std::complex<T>> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = {re[i] - 4, im[i] - 3};
    return v;
}

std::vector<sk::half> halves(std::size_t n, unsigned seed = 1)
{
    const auto from = numbers<float>(n, seed);
    std::vector<sk::half> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = 0.25f * from[i];
    return v;
}

template <class T>
bool near(std::complex<T> a, std::complex<T> b)
{
    const T eps = 32 * std::numeric_limits<T>::epsilon();
    return std::abs(a - b) <= eps * (1 + std::abs(b));
}

template <class Got, class Want>
void check_near(const Got& got, const Want& want)
{
    const auto v = values(got);
    REQUIRE(v.size() == want.size());
    for (std::size_t i = 0; i < v.size(); ++i)
        if (!near(v[i], want[i])) {
            CAPTURE(i, v[i], want[i]);
            REQUIRE(near(v[i], want[i]));
        }
}

} // namespace

TEST_CASE("complex arithmetic of small whole numbers is exact", "[map][types][complex]")
{
    const auto n = sizes();
    const auto a = complex_numbers<float>(n, 1), b = complex_numbers<float>(n, 2);
    const auto f = sk::map(SKELRT_FN((std::complex<float> p, cfloat q, float s) {
        std::complex<float> z{p.real(), -q.imag()}, none;
        z *= q;
        z += s;
        z -= p;
        z = z * 2.0f + 3.0f * conj(q) - z - (1.0f - p);
        z.imag(z.imag() + 1);
        if (z == q || p != q) z = -z;
        return (z + none) * turn_left;
    }));
    const auto one = [](std::complex<float> p, std::complex<float> q, float s) {
        std::complex<float> z{p.real(), -q.imag()};
        z = {z.real() * q.real() - z.imag() * q.imag(), z.real() * q.imag() + z.imag() * q.real()};
        z = z + s - p;
        z = z + 3.0f * std::conj(q) - (1.0f - p);
        z.imag(z.imag() + 1);
        if (z == q || p != q) z = -z;
        return std::complex<float>(-z.imag(), z.real());
    };
    const sk::vector<std::complex<float>> y = f(vector_of(a), vector_of(b), 1.5f);
    check_equal(y, expected(n, [&](std::size_t i) { return one(a[i], b[i], 1.5f); }));
}

TEST_CASE("complex division and functions", "[map][types][complex]")
{
    const std::size_t n = 3001;
    const auto a = complex_numbers<float>(n, 1), b = complex_numbers<float>(n, 2);
    const auto x = vector_of(a), y = vector_of(b);
    const auto divide = sk::map(SKELRT_FN((std::complex<float> p, std::complex<float> q) {
        auto z = p / (q + 0.5f);
        z /= 2.0f;
        return 1.0f / (z + std::complex<float>(0, 40)) + z;
    }));
    const auto one = [](auto p, auto q) {
        const auto z = p / (q + 0.5f) / 2.0f;
        return 1.0f / (z + std::complex<float>(0, 40)) + z;
    };
    check_near(sk::vector<std::complex<float>>(divide(x, y)),
               expected(n, [&](std::size_t i) { return one(a[i], b[i]); }));

    const auto functions = sk::map(SKELRT_FN((std::complex<float> p) {
        const auto e = std::exp(p * 0.25f);
        const std::complex<float> around = std::polar(std::abs(p), arg(p)); // p again
        return e + around + std::complex<float>(std::norm(p), real(e)) + std::sqrt(p) + turned(p, 0.5f);
    }));
    const auto want = [](std::complex<float> p) {
        const auto e = std::exp(p * 0.25f);
        return e + p + std::complex<float>(std::norm(p), e.real()) + std::sqrt(p) + turned(p, 0.5f);
    };
    check_near(sk::vector<std::complex<float>>(functions(x)), expected(n, [&](std::size_t i) { return want(a[i]); }));

    const auto sizes_of =
        sk::map(SKELRT_FN((std::complex<float> p) { return std::norm(p) > 16 ? p.real() : abs(p.imag()); }));
    check_equal(sk::vector<float>(sizes_of(x)), expected(n, [&](std::size_t i) {
                    return std::norm(a[i]) > 16 ? a[i].real() : std::fabs(a[i].imag());
                }));
}

TEST_CASE("complex numbers of double precision", "[map][types][complex]")
{
    const std::size_t n = 2003;
    const auto a = complex_numbers<double>(n);
    const auto f = sk::map(SKELRT_FN((std::complex<double> z, std::complex<float> c) {
        for (int i = 0; i < 3; ++i) z = z * z * 0.01 + std::complex<double>(c);
        return z + std::polar(2.0, std::numbers::pi);
    }));
    const std::complex<float> c{0.25f, -0.5f};
    const auto one = [&](std::complex<double> z) {
        for (int i = 0; i < 3; ++i) z = z * z * 0.01 + std::complex<double>(c);
        return z + std::polar(2.0, std::numbers::pi);
    };
    check_near(sk::vector<std::complex<double>>(f(vector_of(a), c)),
               expected(n, [&](std::size_t i) { return one(a[i]); }));
}

TEST_CASE("complex numbers in reductions, scans and products", "[reduce][scan][all_pairs][types][complex]")
{
    const auto n = GENERATE(as<std::size_t>(), 1, 1000, 20011);
    const auto a = complex_numbers<float>(n);
    const auto x = vector_of(a);
    std::complex<float> sum;
    std::vector<std::complex<float>> sums;
    for (const auto z : a) sums.push_back(sum += z);
    REQUIRE(std::complex<float>(sk::reduce(sk::plus, std::complex<float>(1, 2))(x)) == sum + std::complex<float>(1, 2));
    const sk::vector<std::complex<float>> all = sk::scan(sk::plus)(x);
    check_equal(all, sums);
    const float largest =
        sk::reduce(sk::maximum)(sk::map(SKELRT_FN((std::complex<float> z) { return std::norm(z); }))(x));
    float want = 0;
    for (const auto z : a) want = std::max(want, std::norm(z));
    REQUIRE(largest == want);

    const std::size_t rows = 13, depth = 21, cols = 17;
    const auto l = complex_numbers<float>(rows * depth, 3), r = complex_numbers<float>(cols * depth, 4);
    const sk::matrix<std::complex<float>> product =
        sk::all_pairs(sk::multiplies, sk::plus)(matrix_of(rows, depth, l), matrix_of(cols, depth, r));
    std::vector<std::complex<float>> wanted(rows * cols);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < cols; ++j)
            for (std::size_t k = 0; k < depth; ++k) wanted[i * cols + j] += l[i * depth + k] * r[j * depth + k];
    check_equal(product, wanted);
}

TEST_CASE("complex numbers in vec, mat and hood", "[map][stencil][types][complex]")
{
    const std::size_t rows = 37, cols = 29;
    const auto a = complex_numbers<float>(rows * cols), w = complex_numbers<float>(cols, 5);
    const auto m = matrix_of(rows, cols, a);
    const auto row_times =
        sk::map(SKELRT_FN((sk::index1 i, sk::mat<std::complex<float>> a, sk::vec<std::complex<float>> w) {
            std::complex<float> sum = 0.0f;
            for (size_t k = 0; k < w.size(); ++k) sum += a(i.i, k) * w[k];
            return sum;
        }));
    sk::vector<std::complex<float>> y(rows);
    y = row_times(m, vector_of(w));
    check_equal(y, expected(rows, [&](std::size_t i) {
                    std::complex<float> sum;
                    for (std::size_t k = 0; k < cols; ++k) sum += a[i * cols + k] * w[k];
                    return sum;
                }));
    auto spread = sk::stencil(SKELRT_FN((sk::hood2<std::complex<float>> u) {
                                  return u(-1, 0) + turn_left * u(0, 1) - u(0, 0) * 2.0f + std::conj(u(1, -1));
                              }),
                              sk::border::constant(std::complex<float>(1, 1)));
    const sk::matrix<std::complex<float>> s = spread(m);
    const auto at = [&](long r, long c) {
        const bool in = r >= 0 && c >= 0 && r < static_cast<long>(rows) && c < static_cast<long>(cols);
        return in ? a[static_cast<std::size_t>(r) * cols + static_cast<std::size_t>(c)] : std::complex<float>(1, 1);
    };
    check_equal(s, expected(rows * cols, [&](std::size_t i) {
                    const long r = static_cast<long>(i / cols), c = static_cast<long>(i % cols);
                    return at(r - 1, c) + turn_left * at(r, c + 1) - at(r, c) * 2.0f + std::conj(at(r + 1, c - 1));
                }));
}

TEST_CASE("std::array as element and in functions", "[map][types][array]")
{
    const auto n = sizes();
    const auto from = numbers<int>(n);
    const auto make = sk::map(SKELRT_FN((int k) {
        std::array<int, 4> a{k, k + 1};
        a[2] = int(a.size()) * k;
        a.back() = a.front() - a[1];
        for (auto& x : a) x *= 2;
        return a;
    }));
    const auto made = [](int k) { return std::array<int, 4>{2 * k, 2 * k + 2, 8 * k, -2}; };
    const sk::vector<std::array<int, 4>> arrays = make(vector_of(from));
    check_equal(arrays, expected(n, [&](std::size_t i) { return made(from[i]); }));

    const auto fold = sk::map(SKELRT_FN((std::array<int, 4> a, std::array<int, 4> limit) {
        int sum = 0;
        for (const auto& x : a) sum = sum * 3 + x;
        for (auto it = limit.begin(); it != limit.end(); ++it) sum += *it;
        std::array<std::array<int, 2>, 2> nested = {{{a[0], a[1]}, {a[2], std::get<3>(a)}}};
        if (a == limit) return -1;
        if (a < limit) sum += nested[1][0];
        return sum;
    }));
    const std::array<int, 4> limit = made(5);
    check_equal(sk::vector<int>(fold(arrays, limit)), expected(n, [&](std::size_t i) {
                    const auto a = made(from[i]);
                    int sum = ((a[0] * 3 + a[1]) * 3 + a[2]) * 3 + a[3];
                    for (const int x : limit) sum += x;
                    return a == limit ? -1 : a < limit ? sum + a[2] : sum;
                }));
}

TEST_CASE("structs of std::array and std::complex", "[map][types][array][complex]")
{
    const auto n = sizes();
    const auto a = complex_numbers<float>(n);
    const auto make = sk::map(SKELRT_FN((std::complex<float> p) {
        body b{{p.real(), 1.0f, 2.0f}, {1.0f, 2.0f}, 3};
        for (auto& v : b.at) v *= 2.0f;
        b.phase *= p;
        b.kind += int(b.at.size());
        return b;
    }));
    const auto use =
        sk::map(SKELRT_FN((body b) { return total(b.at) + b.phase.real() - std::imag(b.phase) + b.kind; }));
    const sk::vector<body> bodies = make(vector_of(a));
    check_equal(sk::vector<float>(use(bodies)), expected(n, [&](std::size_t i) {
                    const auto z = std::complex<float>(1, 2) * a[i];
                    return 2 * a[i].real() + 6 + z.real() - z.imag() + 6;
                }));
}

TEST_CASE("numbers and limits of the standard library", "[map][types]")
{
    const std::size_t n = 100;
    const auto f = sk::map(SKELRT_FN((float x) {
        const float top = std::numeric_limits<float>::infinity();
        float y = x < 3 ? std::numbers::pi_v<float> : std::numbers::sqrt2_v<float>;
        if (x == 9) y = std::numeric_limits<float>::lowest();
        return x > 5 && y < top ? y : std::numeric_limits<float>::epsilon() * x;
    }));
    const auto a = numbers<float>(n);
    check_equal(sk::vector<float>(f(vector_of(a))), expected(n, [&](std::size_t i) {
                    const float y = a[i] < 3 ? std::numbers::pi_v<float> : std::numbers::sqrt2_v<float>;
                    return a[i] > 5 ? (a[i] == 9 ? std::numeric_limits<float>::lowest() : y)
                                    : std::numeric_limits<float>::epsilon() * a[i];
                }));
}

TEST_CASE("a half is stored in two bytes and computed with in float", "[map][types][half]")
{
    const auto n = sizes();
    const auto a = halves(n, 1), b = halves(n, 2);
    const auto f = sk::map(SKELRT_FN((sk::half p, sk::half q, float s) {
        sk::half t = p * q + s; // rounded here
        t += p;
        if (q < p) t *= 3.0f;
        const float exact = t / 3.0f;
        return sk::half(exact - (p > 1 ? float(q) : 0.5f));
    }));
    const auto one = [](sk::half p, sk::half q, float s) {
        sk::half t = p * q + s;
        t += p;
        if (q < p) t *= 3.0f;
        return sk::half(t / 3.0f - (p > 1 ? static_cast<float>(q) : 0.5f));
    };
    check_equal(sk::vector<sk::half>(f(vector_of(a), vector_of(b), 0.1f)),
                expected(n, [&](std::size_t i) { return one(a[i], b[i], 0.1f); }));
    const auto g = sk::map(SKELRT_FN((float x) { return x + 0.001f; })); // a half goes in as a float
    check_equal(sk::vector<float>(g(vector_of(a))), expected(n, [&](std::size_t i) { return a[i] + 0.001f; }));
}

TEST_CASE("every half keeps its bits", "[map][types][half]")
{
    std::vector<sk::half> all(0x10000);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = sk::half::from_bits(static_cast<std::uint16_t>(i));
    const auto x = vector_of(all);
    const auto through = sk::map(SKELRT_FN((sk::half h) { return sk::half(1.0f * h); }));
    const auto got = values(sk::vector<sk::half>(through(x)));
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i] != all[i] ? got[i] != got[i] : got[i].bits() == all[i].bits()) continue;
        CAPTURE(i, got[i].bits());
        REQUIRE(false);
    }
    // Between two neighbours: to nearest, ties to even, and to infinity where nothing is near.
    const auto rounded = sk::map(SKELRT_FN((float f) { return sk::half(f); }));
    std::vector<float> between;
    for (std::uint32_t i = 0; i < 0x7c00; ++i) {
        const float low = sk::half::from_bits(static_cast<std::uint16_t>(i));
        const float high =
            i == 0x7bff ? 65536.0f : static_cast<float>(sk::half::from_bits(static_cast<std::uint16_t>(i + 1)));
        const float middle = low + (high - low) / 2;
        between.insert(between.end(), {std::nextafter(middle, 0.0f), middle, -middle, std::nextafter(middle, 1e9f)});
    }
    const auto places = values(sk::vector<sk::half>(rounded(vector_of(between))));
    for (std::size_t i = 0; i < between.size(); ++i) {
        const auto low = static_cast<std::uint32_t>(i / 4);
        const std::uint32_t even = low + (low & 1), want[] = {low, even, even | 0x8000, low + 1};
        if (places[i].bits() == want[i % 4]) continue;
        CAPTURE(i, between[i], places[i].bits());
        REQUIRE(false);
    }
}

TEST_CASE("every bfloat16 keeps its bits, and rounding goes to the nearest", "[map][types][bfloat16]")
{
    constexpr std::uint32_t first = 0x0080, infinity = 0x7f80; // numbers that no device takes for 0
    std::vector<sk::bfloat16> all;
    for (std::uint32_t i = first; i <= infinity; ++i)
        all.push_back(sk::bfloat16::from_bits(static_cast<std::uint16_t>(i)));
    const auto through = sk::map(SKELRT_FN((sk::bfloat16 h) { return sk::bfloat16(-1.0f * h); }));
    const auto got = values(sk::vector<sk::bfloat16>(through(vector_of(all))));
    for (std::uint32_t i = 0; i < all.size(); ++i)
        if (got[i].bits() != ((first + i) | 0x8000)) FAIL("the bits " << first + i << " became " << got[i].bits());
    const auto rounded = sk::map(SKELRT_FN((float f) { return sk::bfloat16(f); }));
    std::vector<float> between;
    for (std::uint32_t i = first; i < infinity; ++i)
        for (const std::uint32_t behind : {0x7fff, 0x8000, 0x8001})
            between.push_back(std::bit_cast<float>(i << 16 | behind));
    const auto places = values(sk::vector<sk::bfloat16>(rounded(vector_of(between))));
    for (std::uint32_t i = 0; i < places.size(); ++i) {
        const std::uint32_t low = first + i / 3, want[] = {low, low + (low & 1), low + 1};
        if (places[i].bits() != want[i % 3]) FAIL(between[i] << " became " << places[i].bits());
    }
    const sk::vector<float> none(3, std::numeric_limits<float>::quiet_NaN());
    const auto still = values(sk::vector<sk::bfloat16>(rounded(none)));
    CHECK(still[2] != still[2]);
    sk::vector<sk::bfloat16> x{3.0f, -1.0f, 2.0f};
    check_equal(sk::vector<sk::bfloat16>(sk::sort(x)), std::vector<sk::bfloat16>{-1.0f, 2.0f, 3.0f});
    REQUIRE(sk::reduce(sk::plus, 0.0f)(x).get() == 4);
}

TEST_CASE("reductions and scans of halves", "[reduce][scan][types][half]")
{
    const auto n = GENERATE(as<std::size_t>(), 1, 1000, 20011);
    const auto a = halves(n);
    const auto x = vector_of(a);
    float sum = 0;
    sk::half least = a[0];
    std::vector<float> sums;
    for (const auto h : a) sums.push_back(sum += h), least = std::min(least, h);
    const auto total = sk::reduce(sk::plus)(x);
    static_assert(std::is_same_v<decltype(total)::value, float>); // a sum of halves is a float
    REQUIRE(float(total) == sum);
    const auto smallest = sk::reduce(sk::minimum)(x);
    static_assert(std::is_same_v<decltype(smallest)::value, sk::half>);
    REQUIRE(sk::half(smallest) == least);
    check_equal(sk::vector<float>(sk::scan(sk::plus)(x)), sums);
}

TEST_CASE("halves in products, vec and hood", "[all_pairs][stencil][types][half]")
{
    const std::size_t rows = 13, depth = 21, cols = 17;
    const auto l = halves(rows * depth, 3), r = halves(cols * depth, 4);
    const sk::matrix<float> product =
        sk::all_pairs(sk::multiplies, sk::plus)(matrix_of(rows, depth, l), matrix_of(cols, depth, r));
    std::vector<float> wanted(rows * cols);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < cols; ++j)
            for (std::size_t k = 0; k < depth; ++k) wanted[i * cols + j] += l[i * depth + k] * r[j * depth + k];
    check_equal(product, wanted);

    const std::size_t n = 5003;
    const auto a = halves(n);
    auto mean = sk::stencil(SKELRT_FN((sk::hood1<sk::half> u) { return sk::half(0.5f * (u(-1) + u(1))); }),
                            sk::border::constant(sk::half(0.5f)));
    const sk::vector<sk::half> y = mean(vector_of(a));
    check_equal(y, expected(n, [&](std::size_t i) {
                    const float before = i > 0 ? static_cast<float>(a[i - 1]) : 0.5f;
                    return sk::half(0.5f * (before + (i + 1 < n ? static_cast<float>(a[i + 1]) : 0.5f)));
                }));
    const auto look_up = sk::map(SKELRT_FN((sk::index1 i, sk::vec<sk::half> v) { return v[v.size() - 1 - i.i]; }));
    sk::vector<sk::half> turned_round(n);
    turned_round = look_up(vector_of(a));
    check_equal(turned_round, expected(n, [&](std::size_t i) { return a[n - 1 - i]; }));
}

TEST_CASE("structs of halves", "[map][types][half]")
{
    const auto n = sizes();
    const auto a = halves(n);
    const auto make = sk::map(SKELRT_FN((sk::half h) {
        sample s{h * 0.1f, std::numeric_limits<sk::half>::max(), 3};
        s.high = s.high - s.low;
        s.count += 1;
        return s;
    }));
    const auto use = sk::map(SKELRT_FN((sample s) { return s.low + s.high * s.count; }));
    const sk::vector<sample> samples = make(vector_of(a));
    check_equal(sk::vector<float>(use(samples)), expected(n, [&](std::size_t i) {
                    const sk::half low = a[i] * 0.1f, high = 65504.0f - low;
                    return low + high * 4;
                }));
}

TEST_CASE("a sort of halves, with infinities and without numbers", "[sort][types][half]")
{
    const auto n = sizes();
    auto a = halves(n);
    for (std::size_t i = 0; i < n; i += 2) a[i] = -a[i];
    for (std::size_t i = 0; i < n; i += 7) a[i] = std::numeric_limits<sk::half>::quiet_NaN();
    for (std::size_t i = 3; i < n; i += 11) a[i] = std::numeric_limits<sk::half>::infinity();
    const auto got = values(sk::vector<sk::half>(sk::sort(vector_of(a))));
    std::ranges::stable_sort(a, [](float x, float y) { return x < y || (y != y && x == x); });
    REQUIRE(got.size() == n);
    for (std::size_t i = 0; i < n; ++i)
        if (!(got[i] == a[i] || (got[i] != got[i] && a[i] != a[i]))) REQUIRE(i == n);
}
