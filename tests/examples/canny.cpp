// SPDX-License-Identifier: BSD-3-Clause
/// Canny's edges as a sequence of stencils: smooth, gradient, thin, threshold. Draws a disc, and checks that the edge
/// found is a thin ring where the disc ends. J. Canny, "A computational approach to edge detection", PAMI 8(6), 1986.

#include <skelrt/skelrt.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace sk = skelrt;

SKELRT_SHARED(
    struct gradient { float dx, dy; }; inline float steepness(gradient g) { return sqrt(g.dx * g.dx + g.dy * g.dy); })

namespace
{

const auto gauss = sk::stencil(SKELRT_FN((sk::hood2<float> u) {
                                   return (u(-1, -1) + u(-1, 1) + u(1, -1) + u(1, 1) +
                                           2 * (u(-1, 0) + u(0, -1) + u(0, 1) + u(1, 0)) + 4 * u(0, 0)) /
                                          16;
                               }),
                               sk::border::nearest());

const auto sobel = sk::stencil(SKELRT_FN((sk::hood2<float> u) {
                                   gradient g;
                                   g.dx = u(-1, 1) + 2 * u(0, 1) + u(1, 1) - u(-1, -1) - 2 * u(0, -1) - u(1, -1);
                                   g.dy = u(1, -1) + 2 * u(1, 0) + u(1, 1) - u(-1, -1) - 2 * u(-1, 0) - u(-1, 1);
                                   return g;
                               }),
                               sk::border::nearest());

/// What is not steeper than both neighbours along the gradient is no edge.
const auto thin = sk::stencil(SKELRT_FN((sk::hood2<gradient> u) {
                                  gradient g = u(0, 0);
                                  float x = fabs(g.dx), y = fabs(g.dy), here = steepness(g), ahead, behind;
                                  if (y < 0.4142f * x) ahead = steepness(u(0, 1)), behind = steepness(u(0, -1));
                                  else if (x < 0.4142f * y) ahead = steepness(u(1, 0)), behind = steepness(u(-1, 0));
                                  else if (g.dx * g.dy > 0) ahead = steepness(u(1, 1)), behind = steepness(u(-1, -1));
                                  else ahead = steepness(u(1, -1)), behind = steepness(u(-1, 1));
                                  return here > ahead && here >= behind ? here : 0.0f;
                              }),
                              sk::border::constant(gradient{0, 0}));

const auto threshold = sk::map(SKELRT_FN((float steep) { return steep > 1.0f ? 1 : 0; }));

} // namespace

int main()
{
    const sk::runtime rt;
    const std::size_t n = 200;
    const float radius = 60;
    const auto disc = sk::generate(SKELRT_FN((sk::index2 at, float middle, float radius) {
        float x = at.col - middle, y = at.row - middle;
        return sqrt(x * x + y * y) < radius ? 1.0f : 0.0f;
    }));
    const sk::matrix<float> image = disc(sk::shape(n, n), n / 2.0f, radius);

    const auto canny = sk::sequence(gauss, sobel, thin, threshold);
    const sk::matrix<int> edges = canny(image);

    std::size_t marked = 0, astray = 0;
    const auto h = sk::host_read(edges);
    for (std::size_t r = 0; r < n; ++r)
        for (std::size_t c = 0; c < n; ++c) {
            if (h(r, c) == 0) continue;
            ++marked;
            const float x = static_cast<float>(c) - n / 2.0f, y = static_cast<float>(r) - n / 2.0f;
            astray += std::abs(std::sqrt(x * x + y * y) - radius) > 1.5f;
        }
    // A ring one pixel wide has 8 / sqrt(2) pixels per pixel of radius, or some more.
    const bool ring = marked > 5 * radius && marked < 9 * radius && astray == 0;
    if (!ring) std::printf("%zu pixels marked, %zu of them astray\n", marked, astray);
    return ring ? EXIT_SUCCESS : EXIT_FAILURE;
}
