// SPDX-License-Identifier: BSD-3-Clause
#include "stencil_support.hpp"

using namespace test;

/// Functions that loop over what their hoods see, as far as an argument says: GPUs compute several positions at once.
namespace
{

std::size_t size_of(int n) { return static_cast<std::size_t>(n); }

struct extents {
    std::size_t rows, cols;
};
constexpr extents all_extents[] = {{1, 1}, {3, 5}, {70, 44}, {9, 700}, {41, 333}, {140, 270}};

/// The sum of what a hood sees as far as `far`, each times its weight.
template <class Weights>
auto weighted(const Weights& w, int far)
{
    return [&w, far](auto u) {
        double sum = 0;
        for (int r = -far; r <= far; ++r)
            for (int c = -far; c <= far; ++c)
                sum +=
                    static_cast<double>(w[size_of((r + far) * (2 * far + 1) + c + far)]) * static_cast<double>(u(r, c));
        return sum;
    };
}

template <class T, class F>
std::vector<T> results(const basic_grid<T>& g, const auto& border, int far, const F& f)
{
    return applied(g, border, [&](auto u) { return static_cast<T>(f(u)); }, {far, far, far, far});
}

template <class Border>
void check_floats(const Border& border, int far)
{
    CAPTURE(far);
    const auto f = sk::stencil(SKELRT_FN((sk::hood2<float> u, const sk::mat<float>& w, int far) {
                                   float sum = 0;
                                   for (int r = -far; r <= far; ++r)
                                       for (int c = -far; c <= far; ++c) sum += w(r + far, c + far) * u(r, c);
                                   return sum;
                               }),
                               border, sk::reach(size_of(far)));
    const std::size_t width = size_of(2 * far + 1);
    const auto weights = numbers<float>(width * width, 3);
    const auto w = matrix_of(width, width, weights);
    for (const auto& [rows, cols] : all_extents) {
        const basic_grid g{numbers<float>(rows * cols), rows, cols};
        const sk::matrix<float> y = f(matrix_of(rows, cols, g.values), w, far);
        check_equal(y, results(g, border, far, weighted(weights, far)));
    }
}

} // namespace

TEST_CASE("dense filters of floats, every border", "[stencil][lockstep]")
{
    for (const int far : {1, 4, 20, 31}) check_floats(sk::border::nearest(), far);
    for (const int far : {2, 5}) {
        check_floats(sk::border::constant(3.0f), far);
        check_floats(sk::border::none(), far);
    }
    check_floats(sk::border::cyclic(), 4);
}

TEST_CASE("dense filters whose inner loop goes from row to row", "[stencil][lockstep]")
{
    const auto f = sk::stencil(SKELRT_FN((sk::hood2<double> u, sk::mat<float> w) {
                                   double sum = 0;
                                   const int far = (int)w.rows() / 2;
                                   for (int c = -far; c <= far; ++c)
                                       for (int r = -far; r <= far; ++r) sum += w(r + far, c + far) * u(r, c);
                                   return sum;
                               }),
                               sk::border::nearest(), sk::reach(6));
    const auto weights = numbers<float>(13 * 13, 3);
    for (const auto& [rows, cols] : all_extents) {
        const basic_grid g{numbers<double>(rows * cols), rows, cols};
        const sk::matrix<double> y = f(matrix_of(rows, cols, g.values), matrix_of(13, 13, weights));
        check_equal(y, results(g, sk::border::nearest(), 6, weighted(weights, 6)));
    }
}

TEST_CASE("sums of bytes around a pixel, and what becomes of these", "[stencil][lockstep]")
{
    const auto f = sk::stencil(SKELRT_FN((sk::hood2<unsigned char> u, int far, float scale) {
                                   int sum = 0, pixels = 0;
                                   for (int r = -far; r <= far; ++r) {
                                       const int weight = far + 1 - r;
                                       for (int c = -far; c <= far; ++c) {
                                           sum += weight * u(r, c);
                                           ++pixels;
                                       }
                                   }
                                   const float mean = scale * (float)sum / (float)pixels;
                                   return (unsigned char)((int)mean % 200 - u(0, 0) / 2 + u(0, 0));
                               }),
                               sk::border::constant(9), sk::reach(4));
    for (const int far : {4, 3}) // 3: does not agree with the reach
        for (const auto& [rows, cols] : all_extents) {
            const basic_grid g{numbers<unsigned char>(rows * cols), rows, cols};
            const sk::matrix<unsigned char> y = f(matrix_of(rows, cols, g.values), far, 0.5f);
            check_equal(y, results(g, sk::border::constant(9), 4, [&](auto u) {
                            int sum = 0;
                            for (int r = -far; r <= far; ++r)
                                for (int c = -far; c <= far; ++c) sum += (far + 1 - r) * u(r, c);
                            const float mean =
                                0.5f * static_cast<float>(sum) / static_cast<float>((2 * far + 1) * (2 * far + 1));
                            return static_cast<unsigned char>(static_cast<int>(mean) % 200 - u(0, 0) / 2 + u(0, 0));
                        }));
        }
}

TEST_CASE("filters of two grids, with elements, values and vectors beside them", "[stencil][lockstep]")
{
    const auto f = sk::stencil(SKELRT_FN((sk::hood2<float> u, int mine, sk::hood2<double> v, sk::vec<int> w, double s) {
                                   double a = mine, b = 0;
                                   for (int r = -3; r <= 3; ++r)
                                       for (int c = -3; c <= 3; ++c) {
                                           auto product = w[r + 3] * u(r, c);
                                           a += product;
                                           b -= -v(c, r) * w[c + 3];
                                       }
                                   return a + s * b;
                               }),
                               sk::border::nearest(), sk::reach(3));
    const auto w = numbers<int>(7, 3);
    for (const auto& [rows, cols] : all_extents) {
        const basic_grid g{numbers<float>(rows * cols), rows, cols};
        const basic_grid h{numbers<double>(rows * cols, 2), rows, cols};
        const auto mine = numbers<int>(rows * cols, 5);
        const sk::scalar<double> s(3);
        const sk::matrix<double> y = f(matrix_of(rows, cols, g.values), matrix_of(rows, cols, mine),
                                       matrix_of(rows, cols, h.values), vector_of(w), s);
        check_equal(y, expected(rows * cols, [&, cols = cols](std::size_t i) {
                        const auto row = static_cast<std::ptrdiff_t>(i / cols),
                                   col = static_cast<std::ptrdiff_t>(i % cols);
                        double a = mine[i], b = 0;
                        for (int r = -3; r <= 3; ++r)
                            for (int c = -3; c <= 3; ++c) {
                                a += w[size_of(r + 3)] * seen(g, row + r, col + c, sk::border::nearest());
                                b += seen(h, row + c, col + r, sk::border::nearest()) * w[size_of(c + 3)];
                            }
                        return a + 3 * b;
                    }));
    }
}

TEST_CASE("filters of two grids that ask what all positions answer alike", "[stencil][lockstep]")
{
    const auto f = sk::stencil(SKELRT_FN((sk::hood2<float> u, sk::hood2<float> v, sk::mat<float> w, int far) {
                                   float left = 0.0f, right = 2;
                                   auto gaps = -u(0, 0);
                                   for (int r = -far; r <= far; ++r)
                                       for (int c = -far, k = 0; c <= far; c++, ++k) {
                                           if (r % 2 != 0 || r > 3) left += w(r + far, (size_t)k) * u(r, c);
                                           else if (c == far) left -= u(r, c);
                                           else right += u(r, c) * 3;
                                           const float gap = v(r, c) - u(c, r);
                                           gaps = gaps + gap * gap;
                                       }
                                   return left * (far > 2 ? right : 1.0f) / 2.0f - gaps;
                               }),
                               sk::border::nearest(), sk::reach(4));
    const auto weights = numbers<float>(9 * 9, 3);
    for (const auto& [rows, cols] : all_extents) {
        const basic_grid g{numbers<float>(rows * cols), rows, cols};
        const basic_grid h{numbers<float>(rows * cols, 2), rows, cols};
        const sk::matrix<float> y =
            f(matrix_of(rows, cols, g.values), matrix_of(rows, cols, h.values), matrix_of(9, 9, weights), 4);
        check_equal(y, expected(rows * cols, [&, cols = cols](std::size_t i) {
                        const auto row = static_cast<std::ptrdiff_t>(i / cols),
                                   col = static_cast<std::ptrdiff_t>(i % cols);
                        const auto u = [&](int r, int c) { return seen(g, row + r, col + c, sk::border::nearest()); };
                        float left = 0, right = 2, gaps = -u(0, 0);
                        for (int r = -4; r <= 4; ++r)
                            for (int c = -4; c <= 4; ++c) {
                                if (r % 2 != 0 || r > 3) left += weights[size_of((r + 4) * 9 + c + 4)] * u(r, c);
                                else if (c == 4) left -= u(r, c);
                                else right += u(r, c) * 3;
                                const float gap = seen(h, row + r, col + c, sk::border::nearest()) - u(c, r);
                                gaps += gap * gap;
                            }
                        return left * right / 2 - gaps;
                    }));
    }
}
