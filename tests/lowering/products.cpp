// SPDX-License-Identifier: BSD-3-Clause
#include "products.hpp"
#include "../conformance/support.hpp"

#include <skelrt/algorithms/batched_product.hpp>

#include <algorithm>
#include <complex>
#include <vector>

/// Products of matrices as users write them, wherever SKELRT_TEST_DEVICE, SKELRT_TILES and SKELRT_BLAS let them be
/// computed.

using products::reference, products::shape, products::signed_numbers, products::transposed;
using test::check_equal;

namespace
{

template <class T>
void check_product(const shape& s)
{
    CAPTURE(s.rows, s.cols, s.depth, sizeof(T));
    const auto a = signed_numbers<T>(s.rows * s.depth, 7), b = signed_numbers<T>(s.cols * s.depth, 5);
    const sk::matrix<T> x(s.rows, s.depth, a.begin()), y(s.cols, s.depth, b.begin());
    const auto across_a = transposed(a, s.rows, s.depth), across_b = transposed(b, s.cols, s.depth);
    const sk::matrix<T> xt(s.depth, s.rows, across_a.begin()), yt(s.depth, s.cols, across_b.begin());
    const auto from_zero = sk::all_pairs(sk::multiplies, sk::plus, T{0});
    const auto from_two = sk::all_pairs(sk::multiplies, sk::plus, T{2});
    const auto want = reference(a, b, s, T{0});
    sk::matrix<T> c = from_zero(x, sk::transpose(yt));
    check_equal(c, want);
    c = from_zero(sk::transpose(xt), y); // into the same memory, of which nothing may be left
    check_equal(c, want);
    c = from_zero(sk::transpose(xt), sk::transpose(yt));
    check_equal(c, want);
    c = from_two(x, y);
    check_equal(c, reference(a, b, s, T{2}));
    if (s.depth == 0) return;
    c = sk::all_pairs(sk::multiplies, sk::plus)(x, y);
    check_equal(c, want);
}

} // namespace

TEMPLATE_TEST_CASE("products of all shapes, transposed either way", "", float, double, std::complex<double>)
{
    for (const shape s : {shape{0, 3, 5}, shape{3, 0, 5}, shape{5, 7, 0}, shape{1, 1, 1}, shape{1, 1, 701},
                          shape{1, 311, 47}, shape{311, 1, 47}, shape{17, 19, 23}, shape{64, 64, 64},
                          shape{131, 127, 113}, shape{29, 401, 31}, shape{401, 29, 37}, shape{97, 67, 1021}})
        check_product<TestType>(s);
}

TEST_CASE("parts of matrices as sides and as result")
{
    const std::size_t rows = 45, cols = 37, depth = 29;
    const auto a = signed_numbers<float>(60 * 50, 7), b = signed_numbers<float>(70 * 64, 5);
    const sk::matrix<float> x(60, 50, a.begin()), y(70, 64, b.begin());
    sk::matrix<float> to(50, 50, -1.0f);
    to.sub(3, 4, rows, cols) = sk::all_pairs(sk::multiplies, sk::plus, 0.0f)(x.sub(11, 13, rows, depth),
                                                                             sk::transpose(y.sub(20, 5, depth, cols)));
    std::vector<float> want(50 * 50, -1.0f);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < cols; ++j) {
            float& v = want[(3 + i) * 50 + 4 + j] = 0;
            for (std::size_t k = 0; k < depth; ++k) v += a[(11 + i) * 50 + 13 + k] * b[(20 + k) * 64 + 5 + j];
        }
    check_equal(to, want);
}

TEST_CASE("a matrix with itself, and chains of products")
{
    const std::size_t n = 64;
    auto a = signed_numbers<double>(n * n, 7);
    for (double& v : a) v = v > 3 ? 1 : 0;
    sk::matrix<double> x(n, n, a.begin());
    const auto product = sk::all_pairs(sk::multiplies, sk::plus, 0.0);
    for (int k = 0; k < 3; ++k) {
        x = product(x, x);
        a = reference(a, a, {n, n, n}, 0.0);
    }
    check_equal(x, a);
}

TEST_CASE("what only looks like a product")
{
    const shape s{70, 60, 50};
    const auto a = signed_numbers<float>(s.rows * s.depth, 7), b = signed_numbers<float>(s.cols * s.depth, 5);
    const sk::matrix<float> x(s.rows, s.depth, a.begin()), y(s.cols, s.depth, b.begin());
    sk::matrix<float> c = sk::all_pairs(sk::minus, sk::plus, 0.0f)(x, y);
    std::vector<float> want(s.rows * s.cols, 0.0f);
    for (std::size_t i = 0; i < want.size(); ++i)
        for (std::size_t k = 0; k < s.depth; ++k) want[i] += a[i / s.cols * s.depth + k] - b[i % s.cols * s.depth + k];
    check_equal(c, want);
    const auto twice = sk::map(SKELRT_FN((float v) { return 2 * v; }));
    c = sk::all_pairs(sk::multiplies, sk::plus, 0.0f)(twice(x), y);
    auto doubled = a;
    for (float& v : doubled) v *= 2;
    check_equal(c, reference(doubled, b, s, 0.0f));
    const sk::matrix<double> d = sk::all_pairs(sk::multiplies, sk::plus, 0.0)(x, y); // floats, added as doubles
    const std::vector<double> wide_a(a.begin(), a.end()), wide_b(b.begin(), b.end());
    check_equal(d, reference(wide_a, wide_b, s, 0.0));
}

TEST_CASE("short numbers are added up as floats")
{
    const shape s{67, 45, 3000};
    std::vector<sk::half> a(s.rows * s.depth), b(s.cols * s.depth);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 5);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 3) + 1;
    const std::vector<float> wide_a(a.begin(), a.end()), wide_b(b.begin(), b.end());
    const auto want = reference(wide_a, wide_b, s, 0.0f); // up to 24 000: no half is
    const auto product = sk::all_pairs(sk::multiplies, sk::plus, 0.0f);
    const sk::matrix<sk::half> x(s.rows, s.depth, a.begin());
    const auto across = transposed(b, s.cols, s.depth);
    sk::matrix<float> c = product(x, sk::transpose(sk::matrix<sk::half>(s.depth, s.cols, across.begin())));
    check_equal(c, want);
    c = c + product(x, sk::transpose(sk::matrix<sk::half>(s.depth, s.cols, across.begin())));
    auto twice = want;
    for (float& v : twice) v *= 2;
    check_equal(c, twice);
    const std::vector<sk::bfloat16> p(wide_a.begin(), wide_a.end()), q(wide_b.begin(), wide_b.end());
    c = product(sk::matrix<sk::bfloat16>(s.rows, s.depth, p.begin()),
                sk::matrix<sk::bfloat16>(s.cols, s.depth, q.begin()));
    check_equal(c, want);
}

namespace
{

/// Planes of a with planes of b, both of rows of `depth`.
template <class T, class Sum>
std::vector<Sum> reference_of_planes(const std::vector<T>& a, const std::vector<T>& b, std::size_t planes,
                                     const shape& s)
{
    std::vector<Sum> all;
    for (std::size_t p = 0; p < planes; ++p) {
        const auto part = [&](const std::vector<T>& v, std::size_t size) {
            return std::vector<Sum>(v.begin() + static_cast<std::ptrdiff_t>(p * size),
                                    v.begin() + static_cast<std::ptrdiff_t>((p + 1) * size));
        };
        const auto one = reference(part(a, s.rows * s.depth), part(b, s.cols * s.depth), s, Sum{});
        all.insert(all.end(), one.begin(), one.end());
    }
    return all;
}

template <class T, class Sum>
void check_batch(std::size_t planes, const shape& s)
{
    CAPTURE(planes, s.rows, s.cols, s.depth, sizeof(T));
    const auto numbers = signed_numbers<Sum>(planes * s.rows * s.depth, 7),
               others = signed_numbers<Sum>(planes * s.cols * s.depth, 5);
    const std::vector<T> a(numbers.begin(), numbers.end()), b(others.begin(), others.end());
    std::vector<T> across_a, across_b;
    for (std::size_t p = 0; p < planes; ++p) {
        const auto turn = [&](const std::vector<T>& v, std::size_t rows, std::vector<T>& to) {
            const auto begin = v.begin() + static_cast<std::ptrdiff_t>(p * rows * s.depth);
            const auto one =
                transposed(std::vector<T>(begin, begin + static_cast<std::ptrdiff_t>(rows * s.depth)), rows, s.depth);
            to.insert(to.end(), one.begin(), one.end());
        };
        turn(a, s.rows, across_a);
        turn(b, s.cols, across_b);
    }
    const sk::tensor<T, 3> x({planes, s.rows, s.depth}, a.begin()), y({planes, s.depth, s.cols}, across_b.begin()),
        xt({planes, s.depth, s.rows}, across_a.begin()), yt({planes, s.cols, s.depth}, b.begin());
    const auto want = reference_of_planes<T, Sum>(a, b, planes, s);
    const sk::tensor<Sum, 3> c = sk::batched_product(x, y);
    REQUIRE(c.extents() == std::array<std::size_t, 3>{planes, s.rows, s.cols});
    check_equal(c, want);
    check_equal(sk::batched_product(sk::transpose(xt), y), want);
    check_equal(sk::batched_product(x, sk::transpose(yt)), want);
}

} // namespace

TEST_CASE("batches of products")
{
    for (const std::size_t planes : {0, 1, 2, 50})
        for (const shape s : {shape{1, 1, 1}, shape{3, 4, 5}, shape{17, 19, 23}, shape{40, 1, 16}, shape{1, 40, 16},
                              shape{2, 3, 0}, shape{64, 64, 64}})
            check_batch<float, float>(planes, s);
    check_batch<std::complex<double>, std::complex<double>>(9, {17, 12, 20});
    check_batch<sk::half, float>(9, {17, 12, 20});
}

TEST_CASE("batches that do not fit")
{
    const sk::tensor<float, 3> a({4, 2, 3}, 1.0f), b({4, 2, 3}, 1.0f), fewer({3, 3, 2}, 1.0f);
    CHECK_THROWS_WITH(sk::batched_product(a, b), Catch::Contains("4 planes of 2 x 3 times 4 planes of 2 x 3"));
    CHECK_THROWS_AS(sk::batched_product(a, fewer), sk::error);
    CHECK_NOTHROW(sk::batched_product(a, sk::transpose(b)));
}
