// SPDX-License-Identifier: BSD-3-Clause
/// docs/gallery.md: the histogram of a picture, and a picture that uses all greys alike.

#include <skelrt/algorithms.hpp>
#include <skelrt/skelrt.hpp>

#include <cstdio>
#include <fstream>

namespace sk = skelrt;

int main(int argc, char** argv)
{
    const sk::runtime rt;
    const std::size_t rows = 200, cols = 300;

    const auto dim = sk::generate(SKELRT_FN((sk::index1 at, int width) {
        const float y = 0.02f * (float)(at.i / width), x = 0.02f * (float)(at.i % width);
        return 40 + 15 * sin(x * x) * cos(y) + 10 * sin(3 * y + x); // greys from about 15 to 65, of 255
    }));
    const sk::vector<float> image = dim(sk::shape(rows * cols), static_cast<int>(cols));

    const sk::vector<unsigned> counts = sk::histogram(image, 256, 0.0f, 256.0f);
    const sk::vector<unsigned> ranks = sk::scan(sk::plus)(counts); // so many pixels are as dark
    const auto equalize = sk::map(SKELRT_FN(
        (float grey, sk::vec<unsigned> below) { return 255.0f * (float)below[(int)grey] / (float)below[255]; }));
    const sk::vector<float> even = equalize(image, ranks);

    const sk::minmax_result<float> before = sk::minmax(image), after = sk::minmax(even);
    std::printf("greys before: %.0f to %.0f, after: %.0f to %.0f\n", before.min, before.max, after.min, after.max);

    if (argc < 2) return 0;
    const auto seen = sk::host_read(even);
    std::ofstream picture(argv[1], std::ios::binary);
    picture << "P5 " << cols << ' ' << rows << " 255\n";
    for (const float grey : seen) picture.put(static_cast<char>(grey));
}
