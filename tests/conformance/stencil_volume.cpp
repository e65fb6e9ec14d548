// SPDX-License-Identifier: BSD-3-Clause
#include "stencil_support.hpp"

using namespace test;

/// Stencils on tensors of rank 3.

namespace
{

using volume = std::array<std::size_t, 3>;

/// Sequential, for any border rule: `at(x, n)` maps a position of one axis into the grid, or to -1 for the constant.
template <class Resolve, class F>
std::vector<int> applied_in(const std::vector<int>& a, const volume& n, int constant, Resolve at, F f)
{
    const auto extent = [&](int k) { return static_cast<std::ptrdiff_t>(n[static_cast<std::size_t>(k)]); };
    std::vector<int> result;
    for (std::ptrdiff_t p = 0; p < extent(0); ++p)
        for (std::ptrdiff_t r = 0; r < extent(1); ++r)
            for (std::ptrdiff_t c = 0; c < extent(2); ++c)
                result.push_back(f([&](std::ptrdiff_t dp, std::ptrdiff_t dr, std::ptrdiff_t dc) {
                    const std::ptrdiff_t x = at(p + dp, extent(0)), y = at(r + dr, extent(1)),
                                         z = at(c + dc, extent(2));
                    if (x < 0 || y < 0 || z < 0) return constant;
                    return a[static_cast<std::size_t>((x * extent(1) + y) * extent(2) + z)];
                }));
    return result;
}

std::ptrdiff_t or_constant(std::ptrdiff_t x, std::ptrdiff_t n) { return x < 0 || x >= n ? -1 : x; }
std::ptrdiff_t around(std::ptrdiff_t x, std::ptrdiff_t n) { return (x % n + n) % n; }
std::ptrdiff_t nearest(std::ptrdiff_t x, std::ptrdiff_t n) { return std::clamp<std::ptrdiff_t>(x, 0, n - 1); }

#define SEVEN                                                                                                          \
    SKELRT_FN((sk::hood3<int> u) {                                                                                     \
        return u(0, 0, 0) + 2 * u(-1, 0, 0) + 3 * u(1, 0, 0) + 5 * u(0, -2, 0) + 7 * u(0, 1, 0) + 11 * u(0, 0, -1) +   \
               13 * u(1, 1, 2);                                                                                        \
    })

template <class At>
int seven(At u)
{
    return u(0, 0, 0) + 2 * u(-1, 0, 0) + 3 * u(1, 0, 0) + 5 * u(0, -2, 0) + 7 * u(0, 1, 0) + 11 * u(0, 0, -1) +
           13 * u(1, 1, 2);
}

} // namespace

TEST_CASE("seven points in a volume", "[stencil][tensor]")
{
    const volume n = GENERATE(volume{1, 1, 1}, volume{2, 3, 4}, volume{1, 20, 30}, volume{20, 1, 30}, volume{9, 11, 70},
                              volume{31, 17, 23}, volume{0, 3, 3});
    const auto a = numbers<int>(n[0] * n[1] * n[2]);
    const sk::tensor<int, 3> t(n, a.begin());
    const auto reference = [](auto u) { return seven(u); };
    const sk::tensor<int, 3> constant = sk::stencil(SEVEN, sk::border::constant(3))(t);
    check_equal(constant, applied_in(a, n, 3, or_constant, reference));
    const sk::tensor<int, 3> cyclic = sk::stencil(SEVEN, sk::border::cyclic())(t);
    check_equal(cyclic, applied_in(a, n, 0, around, reference));
    const sk::tensor<int, 3> near = sk::stencil(SEVEN, sk::border::nearest())(t);
    check_equal(near, applied_in(a, n, 0, nearest, reference));
}

TEST_CASE("positions in a volume", "[stencil][tensor]")
{
    const volume n{7, 9, 21};
    const auto a = numbers<int>(n[0] * n[1] * n[2]);
    const sk::tensor<int, 3> t(n, a.begin());
    const auto f = sk::stencil(SKELRT_FN((sk::index3 i, sk::hood3<int> u, int mine) {
                                   return (int)i.plane * 10000 + (int)i.row * 100 + (int)i.col + u(-1, 0, 0) - mine;
                               }),
                               sk::border::constant(0));
    const sk::tensor<int, 3> y = f(t, t);
    check_equal(y, expected(a.size(), [&](std::size_t i) {
                    const std::size_t plane = i / (n[1] * n[2]), row = i / n[2] % n[1], col = i % n[2];
                    const int above = plane > 0 ? a[i - n[1] * n[2]] : 0;
                    return static_cast<int>(plane * 10000 + row * 100 + col) + above - a[i];
                }));
}

TEST_CASE("steps in a volume", "[stencil][tensor]")
{
    const volume n{14, 10, 33};
    auto a = numbers<int>(n[0] * n[1] * n[2]);
    sk::tensor<int, 3> t(n, a.begin());
    const auto mean =
        sk::stencil(SKELRT_FN((sk::hood3<int> u) {
                        return (u(-1, 0, 0) + u(1, 0, 0) + u(0, -1, 0) + u(0, 1, 0) + u(0, 0, -1) + u(0, 0, 1) + 3) / 4;
                    }),
                    sk::border::nearest());
    t = mean.iterate(6, t);
    for (int k = 0; k < 6; ++k)
        a = applied_in(a, n, 0, nearest, [](auto u) {
            return (u(-1, 0, 0) + u(1, 0, 0) + u(0, -1, 0) + u(0, 1, 0) + u(0, 0, -1) + u(0, 0, 1) + 3) / 4;
        });
    check_equal(t, a);
}
