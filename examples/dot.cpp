// SPDX-License-Identifier: BSD-3-Clause
/// docs/gallery.md: dot products, norms, and the angle between two long vectors.

#include <skelrt/skelrt.hpp>

#include <cmath>
#include <cstdio>

namespace sk = skelrt;

int main()
{
    const sk::runtime rt;

    const auto wave = sk::generate(SKELRT_FN((sk::index1 at, double shift) {
        return sin(0.001 * 6.283185307179586 * (double)at.i + shift); // a period is 1000 elements
    }));
    const std::size_t n = 1'000'000;
    const sk::vector<double> x = wave(sk::shape(n), 0.0);
    const sk::vector<double> y = wave(sk::shape(n), 1.0471975511965976); // a sixth of a period ahead

    const auto sum = sk::reduce(sk::plus, 0.0);
    const auto [xy, xx, yy] = sk::together(sum(x * y), sum(x * x), sum(y * y)).get(); // no product is stored
    const double angle = std::acos(xy / std::sqrt(xx * yy));
    std::printf("x * y = %.0f, and there are %.0f degrees between them\n", xy, angle * 180 / 3.141592653589793);
}
