// SPDX-License-Identifier: BSD-3-Clause
/// docs/gallery.md: the volume of a ball in five dimensions by Monte Carlo, with its error, and by its formula.

#include <skelrt/algorithms.hpp>
#include <skelrt/skelrt.hpp>

#include <cmath>
#include <cstdio>

namespace sk = skelrt;

int main()
{
    const sk::runtime rt;

    const auto is_inside = sk::map(SKELRT_FN((sk::random r) {
        float square = 0;
        for (int k = 0; k < 5; ++k) {
            const float x = r.uniform();
            square += x * x;
        }
        return square < 1 ? 1.0f : 0.0f; // in one of the 32 corners of the cube around the ball
    }));
    const std::size_t points = 2'000'000; // none of them is stored
    const sk::moments found = sk::mean_and_variance(is_inside(sk::shape(points), sk::random_seed{7}));

    const double error = 32 * std::sqrt(found.sample_variance() / static_cast<double>(points));
    std::printf("volume: %.2f, standard error: %.2f\n", 32 * found.mean, error);
    std::printf("by formula: %.2f\n", 8 * std::pow(3.141592653589793, 2) / 15);
}
