// SPDX-License-Identifier: BSD-3-Clause
/// docs/gallery.md: waves in a basin, thrown back by its walls: a stencil of one operand beside another one.

#include <skelrt/skelrt.hpp>

#include <cstdio>
#include <fstream>
#include <utility>

namespace sk = skelrt;

int main(int argc, char** argv)
{
    const sk::runtime rt;
    const std::size_t rows = 200, cols = 300;

    const auto drop = sk::generate(SKELRT_FN((sk::index2 at) {
        const float y = (float)at.row - 60, x = (float)at.col - 90;
        return exp(-0.02f * (x * x + y * y)); // its height over still water
    }));
    sk::matrix<float> now = drop(sk::shape(rows, cols)), before = now; // at rest

    const auto wave = sk::stencil(SKELRT_FN((sk::hood2<float> u, float old) {
                                      const float slope = u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1) - 4 * u(0, 0);
                                      return 2 * u(0, 0) - old + 0.25f * slope;
                                  }),
                                  sk::border::nearest()); // walls
    const auto sum = sk::reduce(sk::plus, 0.0);
    const double poured = sum(sk::cast<double>(now));
    for (int step = 0; step < 300; ++step) {
        before = wave(now, before); // in place: each element is read, then written
        std::swap(now, before);
    }
    const double there = sum(sk::cast<double>(now));
    std::printf("water: %.1f at first, %.1f after 300 steps\n", poured, there);

    if (argc < 2) return 0;
    const auto seen = sk::host_read(now);
    std::ofstream picture(argv[1], std::ios::binary);
    picture << "P5 " << cols << ' ' << rows << " 255\n";
    for (const float height : seen) {
        const float grey = 128 + 600 * height;
        picture.put(static_cast<char>(grey < 0 ? 0 : grey > 255 ? 255 : grey));
    }
}
