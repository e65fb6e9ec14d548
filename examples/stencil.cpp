// SPDX-License-Identifier: BSD-3-Clause
/// Step 2 of docs/tutorial.md: heat spreads over a plate; the last step becomes a picture.

#include <skelrt/skelrt.hpp>

#include <cstdio>
#include <fstream>

namespace sk = skelrt;

/// A picture in grey that most viewers open: black is 0 degrees, white is 100.
void write_picture(const sk::matrix<float>& plate, const char* file)
{
    const auto seen = sk::host_read(plate);
    std::ofstream to(file, std::ios::binary);
    to << "P5 " << seen.cols() << ' ' << seen.rows() << " 255\n";
    for (const float degrees : seen) to.put(static_cast<char>(degrees * 2.55f));
}

int main(int argc, char** argv)
{
    const sk::runtime rt;

    const auto heaters = sk::generate(SKELRT_FN((sk::index2 at) {
        float row = (float)at.row - 100, column = (float)at.col - 120;
        bool in_disc = row * row + column * column < 900;
        bool in_bar = at.col >= 300 && at.col < 310 && at.row >= 40 && at.row < 160;
        return in_disc || in_bar ? 100.0f : 0.0f;
    }));
    const sk::matrix<float> heater = heaters(sk::shape(200, 400));

    const auto spread = sk::stencil(SKELRT_FN((sk::hood2<float> u, float heater) {
                                        float mean = 0.25f * (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1));
                                        return heater > 0 ? heater : mean;
                                    }),
                                    sk::border::constant(0.0f));
    sk::matrix<float> plate = heater;
    plate = spread.iterate(3000, plate, heater);

    const auto seen = sk::host_read(plate);
    std::printf("between disc and bar: %.1f degrees, in a corner: %.1f\n", seen(100, 220), seen(10, 10));
    if (argc > 1) write_picture(plate, argv[1]);
}
