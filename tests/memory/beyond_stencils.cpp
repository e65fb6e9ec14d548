// SPDX-License-Identifier: BSD-3-Clause
/// Stencils on grids that are larger than the device's memory.

#include "limited.hpp"

namespace sk = skelrt;
using namespace limited;

namespace
{

using grid = std::vector<int>;

constexpr std::ptrdiff_t height = rows, width = cols;

const auto cross = sk::stencil(
    SKELRT_FN((sk::hood2<int> u) { return (3 * u(0, 0) + u(-2, 0) + u(1, 0) + 5 * u(0, -1) + 7 * u(0, 1)) % 1009; }),
    sk::border::constant(4));

int at(const grid& a, std::ptrdiff_t r, std::ptrdiff_t c)
{
    return r < 0 || r >= height || c < 0 || c >= width ? 4 : a[static_cast<std::size_t>(r * width + c)];
}

int cross_at(const grid& a, std::ptrdiff_t r, std::ptrdiff_t c)
{
    return (3 * at(a, r, c) + at(a, r - 2, c) + at(a, r + 1, c) + 5 * at(a, r, c - 1) + 7 * at(a, r, c + 1)) % 1009;
}

grid step(const grid& a)
{
    grid b(a.size());
    for (std::ptrdiff_t r = 0; r < height; ++r)
        for (std::ptrdiff_t c = 0; c < width; ++c) b[static_cast<std::size_t>(r * width + c)] = cross_at(a, r, c);
    return b;
}

/// Rows whose parity and that of the column make `color`.
void half_step(grid& a, std::ptrdiff_t color)
{
    for (std::ptrdiff_t r = 0; r < height; ++r)
        for (std::ptrdiff_t c = (r + color) % 2; c < width; c += 2)
            a[static_cast<std::size_t>(r * width + c)] =
                (at(a, r - 1, c) + at(a, r + 1, c) + 2 * at(a, r, c - 1) + 3 * at(a, r, c + 1)) % 1009;
}

sk::matrix<int> full_grid()
{
    sk::matrix<int> x(rows, cols);
    fill(x);
    return x;
}

} // namespace

TEST_CASE("a step", "[beyond]")
{
    const auto x = full_grid();
    const sk::only there(kind);
    const sk::matrix<int> y = cross(x);
    const grid expected = step(numbers());
    CHECK(wrong(y, [&](std::size_t i) { return expected[i]; }) == 0);
    CHECK(wrong(x, number) == 0);
}

TEST_CASE("rows of which the device has no room for those around, too", "[beyond]")
{
    constexpr std::size_t few = 6;
    sk::matrix<int> x(few, n / few), y; // 16 MiB a row
    fill(x);
    const auto f = sk::stencil(SKELRT_FN((sk::hood2<int> u) { return u(-1, 0) + 2 * u(0, 0) + 3 * u(1, 0); }),
                               sk::border::nearest());
    check_too_large([&] { y = f(x); },
                    [&] {
                        constexpr std::size_t row = n / few;
                        CHECK(wrong(y, [](std::size_t i) {
                                  return number(i < row ? i : i - row) + 2 * number(i) +
                                         3 * number(i + row < n ? i + row : i);
                              }) == 0);
                    });
}

TEST_CASE("a step along a vector", "[beyond]")
{
    sk::vector<int> x(n);
    fill(x);
    const auto f =
        sk::stencil(SKELRT_FN((sk::hood1<int> u) { return u(-3) + 2 * u(0) + 3 * u(2); }), sk::border::nearest());
    const sk::only there(kind);
    const sk::vector<int> y = f(x);
    CHECK(wrong(y, [](std::size_t i) {
              return number(i < 3 ? 0 : i - 3) + 2 * number(i) + 3 * number(i + 2 < n ? i + 2 : n - 1);
          }) == 0);
}

TEST_CASE("iterations", "[beyond]")
{
    const auto x = full_grid();
    constexpr int steps = 5;
    const sk::only there(kind);
    const sk::matrix<int> y = cross.iterate(steps, x);
    grid expected = numbers();
    for (int i = 0; i < steps; ++i) expected = step(expected);
    CHECK(wrong(y, [&](std::size_t i) { return expected[i]; }) == 0);
}

TEST_CASE("red-black iterations", "[beyond]")
{
    const auto f =
        sk::stencil(SKELRT_FN((sk::hood2<int> u) { return (u(-1, 0) + u(1, 0) + 2 * u(0, -1) + 3 * u(0, 1)) % 1009; }),
                    sk::border::constant(4));
    const auto x = full_grid();
    constexpr int steps = 3;
    const sk::only there(kind);
    const sk::matrix<int> y = f.red_black(steps, x);
    grid expected = numbers();
    for (int i = 0; i < steps; ++i) half_step(expected, 0), half_step(expected, 1);
    CHECK(wrong(y, [&](std::size_t i) { return expected[i]; }) == 0);
}

int main(int argc, char** argv) { return run(argc, argv); }
