// SPDX-License-Identifier: BSD-3-Clause
#include "stencil_support.hpp"

using namespace test;

/// Stencils whose border is none within larger functions: one kernel, in which elements at the edge stay as they are
/// before the larger function takes them.

namespace
{

const auto twice = sk::map(SKELRT_FN((int a) { return 2 * a; }));

struct shape_of {
    std::size_t rows, cols;
};

/// Fused, and one by one.
template <class Container, class Call, class T>
void check_call(const Call& call, const std::vector<T>& want)
{
    check_equal(Container(call), want);
    const sk::fusion off(false);
    check_equal(Container(call), want);
}

} // namespace

TEST_CASE("stencils that keep elements are part of larger functions", "[stencil]")
{
    const auto shape = GENERATE(
        values<shape_of>({{0, 0}, {0, 5}, {1, 1}, {1, 7}, {7, 1}, {3, 3}, {2, 300}, {37, 41}, {64, 130}, {203, 67}}));
    const std::size_t rows = shape.rows, cols = shape.cols;
    const auto a = numbers<int>(rows * cols), b = numbers<int>(rows * cols, 2);
    const auto m = matrix_of(rows, cols, a), k = matrix_of(rows, cols, b);
    const auto f = [](auto u) { return 3 * u(0, 0) + u(-2, 0) + 5 * u(1, 0) - 7 * u(0, -1) + u(0, 3); };
    const reaches reach{2, 1, 1, 3};
    const auto star = sk::stencil(
        SKELRT_FN((sk::hood2<int> u) { return 3 * u(0, 0) + u(-2, 0) + 5 * u(1, 0) - 7 * u(0, -1) + u(0, 3); }),
        sk::border::none());
    const auto none = sk::border::none();
    const auto kept = applied(grid{a, rows, cols}, none, f, reach);

    auto sum = k;
    sum += star(m);
    check_equal(sum, expected(a.size(), [&](std::size_t i) { return b[i] + kept[i]; }));
    const auto halved =
        sk::map(SKELRT_FN((sk::index2 at, int s, int e) { return 0.5f * (float)s + (float)at.col * (float)e; }));
    check_call<sk::matrix<float>>(halved(star(m), k), expected(a.size(), [&](std::size_t i) {
                                      return 0.5f * static_cast<float>(kept[i]) +
                                             static_cast<float>(i % cols) * static_cast<float>(b[i]);
                                  }));
    const auto doubled = expected(a.size(), [&](std::size_t i) { return 2 * a[i]; });
    const auto kept_of_doubled = applied(grid{doubled, rows, cols}, none, f, reach);
    check_call<sk::matrix<int>>(k - star(twice(m)),
                                expected(a.size(), [&](std::size_t i) { return b[i] - kept_of_doubled[i]; }));
    const auto narrow = sk::stencil(SKELRT_FN((sk::hood2<int> u) { return u(0, 1) - u(-1, 0); }), none);
    const auto kept_by_narrow =
        applied(grid{b, rows, cols}, none, [](auto u) { return u(0, 1) - u(-1, 0); }, {1, 0, 0, 1});
    check_call<sk::matrix<int>>(star(m) + 2 * narrow(k),
                                expected(a.size(), [&](std::size_t i) { return kept[i] + 2 * kept_by_narrow[i]; }));
    const auto total = sk::reduce(sk::plus, 0);
    const int got = total(star(m) - k);
    int want = 0;
    for (std::size_t i = 0; i < a.size(); ++i) want += kept[i] - b[i];
    REQUIRE(got == want);
}

TEST_CASE("vectors and volumes that keep elements are part of larger functions", "[stencil]")
{
    const auto n = sizes();
    const auto a = numbers<int>(n), b = numbers<int>(n, 2);
    const auto left = sk::stencil(SKELRT_FN((sk::hood1<int> u) { return u(-3) - 2 * u(1); }), sk::border::none());
    sk::vector<int> y = vector_of(b) + left(vector_of(a));
    const auto kept = applied(grid{a, n > 0 ? std::size_t{1} : 0, n}, sk::border::none(),
                              [](auto u) { return u(0, -3) - 2 * u(0, 1); }, {0, 0, 3, 1});
    check_equal(y, expected(n, [&](std::size_t i) { return b[i] + kept[i]; }));

    const std::size_t planes = 7, rows = 6, cols = 19;
    const auto v = numbers<int>(planes * rows * cols);
    sk::tensor<int, 3> t({planes, rows, cols}, v.begin());
    const auto up = sk::stencil(SKELRT_FN((sk::hood3<int> u) { return u(-1, 0, 0) + u(0, 1, 0) + u(0, 0, -2); }),
                                sk::border::none());
    sk::tensor<int, 3> z = 2 * up(t) + t;
    check_equal(z, expected(v.size(), [&](std::size_t i) {
                    const std::size_t p = i / (rows * cols), r = i / cols % rows, c = i % cols;
                    const bool keeps = p < 1 || r + 1 >= rows || c < 2;
                    return v[i] + 2 * (keeps ? v[i] : v[i - rows * cols] + v[i + cols] + v[i - 2]);
                }));
}
