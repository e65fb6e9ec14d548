// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "reference.hpp"
#include "rival.hpp"

#include "apps/shared/picture/pictures.hpp"
#include "apps/shared/rival.hpp"
#include "apps/shared/trial.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace blur
{
namespace
{

struct options : apps::common_options {
    std::filesystem::path input;                 ///< empty: a test card of `size`
    std::array<std::size_t, 2> size{4096, 3072}; ///< columns, rows
    std::string form = "separable";
    double sigma = 3;
    int times = 9;
    bool halves = false;    ///< the PNG file shows the source on its left half
    std::size_t shrink = 1; ///< pixels of the result, in each direction, that become one of the PNG file

    bool dense() const { return form == "dense"; }
};

/// Largest error that passes; pixels are 0 to 1.
constexpr double tolerance = 1e-5;

apps::comparison compare(const std::vector<plane>& planes, const std::vector<std::vector<double>>& right)
{
    apps::comparison result{tolerance};
    for (std::size_t c = 0; c < planes.size(); ++c) {
        const auto got = skelrt::host_read(planes[c]);
        const auto place = apps::row_and_column(planes[c].cols());
        for (std::size_t i = 0; i < got.size(); ++i)
            result.add(static_cast<double>(got.data()[i]), right[c][i], 1.0,
                       [&] { return fmt::format("{}, colour {}", place(i), c); });
    }
    return result;
}

/// Filters the planes, on the GPU of which the rival knows.
apps::measurement measure_rival(std::vector<plane>& planes, const weights& w, const options& o)
{
    rival::problem what{planes[0].rows(), planes[0].cols(), static_cast<int>(planes.size()), o.times, o.dense(), {}};
    std::ranges::copy(w, what.weights);
    return apps::rival::measure(o, [&](int untimed, int repeat, auto* seconds) {
        std::vector<skelrt::host_matrix<float>> views;
        std::vector<float*> values;
        for (plane& p : planes) values.push_back(views.emplace_back(skelrt::host(p)).data());
        return rival::run(what, untimed, repeat, seconds, values.data(), values.data());
    });
}

int run(const options& o)
{
    const auto source = o.input.empty() ? apps::test_card(o.size[0], o.size[1]) : apps::read_png(o.input);
    const skelrt::runtime rt;
    const std::string name = o.dense() ? "blur_dense" : "blur";
    apps::trial t(name, o, rt);
    std::vector<plane> planes = apps::planes_of(source);
    const weights w = weights_of(o.sigma);
    fmt::print("{} x {} pixels, {} Gaussian of 19 values, sigma {}; {} filterings a run\n\n", source.width,
               source.height, o.form, o.sigma, o.times);
    std::vector<std::vector<double>> right;
    t.reference([&] {
        for (const plane& p : planes) right.push_back(plain_blurred(p, w, o.times));
    });
    t.on_each([&](apps::turn& now) {
        filter f(planes, w, o.dense() ? form::dense : form::separable, o.times); // a new one for each device
        now.time([&] {
            f.run();
            f.wait();
        });
        now.check([&] { return compare(f.result(), right); });
        now.picture([&] {
            const apps::image blurred = apps::image_of(f.result());
            return apps::shrunk(o.halves ? apps::halves(source, blurred) : blurred, o.shrink);
        });
    });
    if (o.rival) {
        apps::measurement row = measure_rival(planes, w, o);
        if (o.check) row.check = compare(planes, right);
        t.add(row);
    }
    t.figure("gpu_" + name + "_vs_hand", "cuda", "rival");
    const double pixels = static_cast<double>(source.pixels()) * o.times;
    // A pass reads and writes each colour of a pixel once; sums that a thread needs of its neighbours come from caches.
    const double bytes = pixels * 3 * 2 * sizeof(float) * (o.dense() ? 1 : 2);
    return t.report(
        {{"columns", source.width}, {"rows", source.height}, {"form", o.form}, {"sigma", o.sigma}, {"times", o.times}},
        {{"Mpixels/s", 1e-6 * pixels, "pixels_per_s", 1e6}, {"GB/s", 1e-9 * bytes, "bytes_per_s", 1e9}},
        {"colours of pixels in double precision", "", "the range of a colour"});
}

} // namespace
} // namespace blur

int main(int argc, char** argv)
{
    blur::options o;
    apps::command_line line(
        "blur",
        "Gaussian blur of a colour picture with 19 x 19 neighbours: along rows and then down columns, "
        "or all at once, by\nsk::stencil on the devices that you choose. Filterings follow each other "
        "without going through main memory.",
        {true, "write the blurred picture to this PNG file"}, o);
    line.without_default("--input", o.input, "picture to blur, a PNG file; default: a test card");
    line.sizes("--size", o.size, 1 << 15, "pixels of the test card: columns,rows or one number");
    line.choice("--form", o.form, {"separable", "dense"}, "separable: two passes of 19; dense: one of 361");
    line.range("--sigma", o.sigma, 1e-3, 1000, "standard deviation in pixels");
    line.range("--times", o.times, 1, 10'000, "filterings, one after the other, of each run");
    line.flag("--halves", o.halves, "the left half of the PNG file shows the picture as it was");
    line.range("--shrink", o.shrink, 1, 64, "N x N pixels become one of the PNG file");
    return apps::run_program(line, argc, argv, [&] { return blur::run(o); });
}
