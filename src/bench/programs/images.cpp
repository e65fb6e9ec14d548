// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/programs/user_program.hpp"

#include <skelrt/skelrt.hpp>

#include <algorithm>

namespace bench
{
namespace
{

namespace sk = skelrt;

sk::matrix<float> picture(std::size_t side)
{
    return sk::generate(SKELRT_FN((sk::index2 at) { return (float)((at.row * 7 + at.col * 13) % 256) / 256.0f; }))(
        sk::shape(side, side));
}

double brightness(const sk::matrix<float>& image) { return sk::reduce(sk::plus, 0.0)(sk::cast<double>(image)); }

/// A Gaussian of radius 8, along rows and then columns.
double gauss(std::size_t side, stopwatch& rounds)
{
    const auto smooth = sk::stencil(SKELRT_FN((sk::hood1<float> u, sk::vec<float> w) {
                                        float sum = 0;
                                        for (int k = -8; k <= 8; ++k) sum += w[k + 8] * u(k);
                                        return sum;
                                    }),
                                    sk::border::nearest(), sk::reach(8));
    sk::vector<float> weights(17, 1.0f / 17);
    sk::matrix<float> image = picture(side);
    rounds.begin();
    for (int k = 0; k < 10; ++k) image = smooth.separable(image, weights);
    const double sum = brightness(image);
    rounds.end();
    return sum;
}

/// Equalisation of grey levels; the host makes the table of 256 values each round.
double equalise(std::size_t side, stopwatch& rounds)
{
    const auto look_up = sk::map(SKELRT_FN((float v, sk::vec<float> table) {
        int k = (int)(v * 256.0f);
        return table[k < 0 ? 0 : k > 255 ? 255 : k];
    }));
    sk::vector<float> table(256, 0.0f);
    const sk::matrix<float> image = picture(side);
    sk::matrix<float> flat(side, side);
    const double pixels = static_cast<double>(side) * static_cast<double>(side);
    rounds.begin();
    for (int k = 0; k < 20; ++k) {
        const sk::vector<unsigned> counts = sk::histogram(k == 0 ? image : flat, 256, 0.0f, 1.0f);
        {
            const auto n = sk::host_read(counts);
            auto t = sk::host_write(table);
            double below = 0;
            for (std::size_t i = 0; i < 256; ++i) t[i] = static_cast<float>((below += n[i]) / pixels) * 0.999f;
        }
        flat = look_up(k == 0 ? image : flat, table);
    }
    const double sum = brightness(flat);
    rounds.end();
    return sum;
}

/// Edges in a series of frames that come from the host.
double edges(std::size_t side, stopwatch& rounds)
{
    const auto sobel = sk::stencil(SKELRT_FN((sk::hood2<float> u) {
                                       float x = u(-1, 1) + 2 * u(0, 1) + u(1, 1) - u(-1, -1) - 2 * u(0, -1) - u(1, -1);
                                       float y = u(1, -1) + 2 * u(1, 0) + u(1, 1) - u(-1, -1) - 2 * u(-1, 0) - u(-1, 1);
                                       return sqrt(x * x + y * y);
                                   }),
                                   sk::border::nearest());
    const auto threshold = sk::map(SKELRT_FN((float v) { return v > 0.5f ? 1.0f : 0.0f; }));
    const sk::matrix<float> shown = picture(side);
    sk::matrix<float> frame(side, side), found(side, side);
    double sum = 0;
    rounds.begin();
    for (int k = 0; k < 10; ++k) {
        {
            const auto from = sk::host_read(shown);
            auto to = sk::host_write(frame);
            std::copy(from.begin(), from.end(), to.begin());
        }
        found = threshold(sobel(frame));
        sum += sk::host_read(found)(side / 2, side / 2);
    }
    rounds.end();
    return sum + brightness(found);
}

/// Escape times; some parts of the picture take much longer than others.
double fractal(std::size_t side, stopwatch& rounds)
{
    const auto escape = sk::map(SKELRT_FN((sk::index2 at, float zoom, float side) {
        float cx = -0.75f + zoom * ((float)at.col / side - 0.5f), cy = 0.1f + zoom * ((float)at.row / side - 0.5f);
        float x = 0, y = 0;
        int n = 0;
        while (n < 300 && x * x + y * y < 4.0f) {
            float t = x * x - y * y + cx;
            y = 2.0f * x * y + cy;
            x = t;
            ++n;
        }
        return n;
    }));
    sk::matrix<int> picture(side, side);
    long sum = 0;
    rounds.begin();
    for (int k = 0; k < 5; ++k) {
        picture = escape(3.0f / static_cast<float>(k + 1), static_cast<float>(side));
        sum += sk::host_read(picture)(side / 3, side / 3);
    }
    rounds.end();
    return static_cast<double>(sum);
}

constexpr user_program all[] = {
    {"gauss", "separable Gaussian, 17 points each way, 10 rounds", {256, 2048, 4096}, &gauss},
    {"equalise", "histogram, a table made on the host, look-up, 20 rounds", {256, 2048, 4096}, &equalise},
    {"edges", "edges in frames that come from the host", {256, 1024, 4096}, &edges},
    {"fractal", "escape times in a picture, zooming in", {256, 1024, 4096}, &fractal},
};

} // namespace

std::span<const user_program> image_programs() { return all; }

} // namespace bench
