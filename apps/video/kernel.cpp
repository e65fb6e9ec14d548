// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"

#include <cmath>

namespace video
{

SKELRT_SHARED(
    struct gradient { float dx, dy; }; inline float steepness(gradient g) { return fabs(g.dx) + fabs(g.dy); })

namespace
{

namespace sk = skelrt;

const auto line =
    sk::stencil(SKELRT_FN((sk::hood1<float> u) { return (u(-2) + u(2)) + 4.0f * (u(-1) + u(1)) + 6.0f * u(0); }),
                sk::border::nearest());

const auto sobel = sk::stencil(SKELRT_FN((sk::hood2<float> u) {
                                   gradient g;
                                   g.dx = u(-1, 1) + 2 * u(0, 1) + u(1, 1) - u(-1, -1) - 2 * u(0, -1) - u(1, -1);
                                   g.dy = u(1, -1) + 2 * u(1, 0) + u(1, 1) - u(-1, -1) - 2 * u(-1, 0) - u(-1, 1);
                                   return g;
                               }),
                               sk::border::nearest());

/// What is not steeper than both neighbours along the gradient is no edge.
const auto thin = sk::stencil(SKELRT_FN((sk::hood2<gradient> u, float sure, float maybe) {
                                  gradient g = u(0, 0);
                                  float x = fabs(g.dx), y = fabs(g.dy), here = steepness(g), ahead, behind;
                                  if (y < 0.4142f * x) ahead = steepness(u(0, 1)), behind = steepness(u(0, -1));
                                  else if (x < 0.4142f * y) ahead = steepness(u(1, 0)), behind = steepness(u(-1, 0));
                                  else if (g.dx * g.dy > 0) ahead = steepness(u(1, 1)), behind = steepness(u(-1, -1));
                                  else ahead = steepness(u(1, -1)), behind = steepness(u(-1, 1));
                                  if (here <= ahead || here < behind || here < maybe) return 0;
                                  return here < sure ? 1 : 2;
                              }),
                              sk::border::constant(gradient{0, 0}));

const auto grow = sk::stencil(SKELRT_FN((sk::hood2<int> u) {
                                  bool touches = u(-1, -1) == 2 || u(-1, 0) == 2 || u(-1, 1) == 2 || u(0, -1) == 2 ||
                                                 u(0, 1) == 2 || u(1, -1) == 2 || u(1, 0) == 2 || u(1, 1) == 2;
                                  return u(0, 0) == 1 && touches ? 2 : u(0, 0);
                              }),
                              sk::border::constant(0));

} // namespace

grey blurred(const grey& picture)
{
    const grey between = line.by_row(picture);
    return line.by_column(between);
}

marks marked(const grey& blurred, const thresholds& t)
{
    constexpr float unit = 256 * 8; // of the blur, and of Sobel's sums
    const sk::matrix<gradient> slopes = sobel(blurred);
    return thin(slopes, t.sure * unit, t.maybe * unit);
}

marks edges_of(const grey& blurred, const thresholds& t)
{
    marks found = marked(blurred, t);
    for (int k = 0; k < growth; ++k) found = grow(found);
    return found;
}

} // namespace video
