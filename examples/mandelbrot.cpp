// SPDX-License-Identifier: BSD-3-Clause
/// docs/gallery.md: the Mandelbrot set, as a picture and as an area. Pixels take very different times.

#include <skelrt/skelrt.hpp>

#include <cstdio>
#include <fstream>

namespace sk = skelrt;

int main(int argc, char** argv)
{
    const sk::runtime rt;
    const std::size_t rows = 240, cols = 320;

    const auto steps = sk::generate(SKELRT_FN((sk::index2 at) {
        const double re = -2.25 + 0.01 * ((double)at.col + 0.5), im = -1.2 + 0.01 * ((double)at.row + 0.5);
        double x = 0, y = 0;
        int k = 0;
        for (; k < 200 && x * x + y * y < 4; ++k) {
            const double next = x * x - y * y + re;
            y = 2 * x * y + im;
            x = next;
        }
        return k;
    }));
    const sk::matrix<int> escaped = steps(sk::shape(rows, cols)); // after so many steps; 200: never

    const auto sum = sk::reduce(sk::plus, 0);
    const int inside = sum(escaped == 200);
    std::printf("the area is about %.1f\n", inside * 0.01 * 0.01);

    if (argc < 2) return 0;
    const auto seen = sk::host_read(escaped);
    std::ofstream picture(argv[1], std::ios::binary);
    picture << "P5 " << cols << ' ' << rows << " 255\n";
    for (const int k : seen) picture.put(static_cast<char>(k == 200 ? 0 : 255 - 6 * (k < 40 ? k : 40)));
}
