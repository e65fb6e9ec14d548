// SPDX-License-Identifier: BSD-3-Clause
#include "../conformance/support.hpp"

#include <algorithm>
#include <vector>

/// Products of matrices as users write them, wherever SKELRT_TEST_DEVICE, SKELRT_TILES and SKELRT_BLAS let them be
/// computed. Values are small whole numbers: exact in floats, in any order.

using test::check_equal;

namespace
{

struct shape {
    std::size_t rows, cols, depth;
};

template <class T>
std::vector<T> signed_numbers(std::size_t n, unsigned seed)
{
    std::vector<T> all(n);
    for (std::size_t i = 0; i < n; ++i) all[i] = static_cast<T>(static_cast<int>(i * seed % 11) - 5);
    return all;
}

template <class T>
std::vector<T> transposed(const std::vector<T>& m, std::size_t rows, std::size_t cols)
{
    std::vector<T> all(m.size());
    for (std::size_t i = 0; i < m.size(); ++i) all[i % cols * rows + i / cols] = m[i];
    return all;
}

/// Of the rows of a with the rows of b.
template <class T>
std::vector<T> reference(const std::vector<T>& a, const std::vector<T>& b, const shape& s, T start)
{
    std::vector<T> c(s.rows * s.cols, start);
    for (std::size_t i = 0; i < s.rows; ++i)
        for (std::size_t j = 0; j < s.cols; ++j)
            for (std::size_t k = 0; k < s.depth; ++k) c[i * s.cols + j] += a[i * s.depth + k] * b[j * s.depth + k];
    return c;
}

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

TEMPLATE_TEST_CASE("products of all shapes, transposed either way", "", float, double)
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
