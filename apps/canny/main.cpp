// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "reference.hpp"

#include "apps/shared/picture/pictures.hpp"
#include "apps/shared/trial.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace canny
{
namespace
{

struct options : apps::common_options {
    std::filesystem::path input;                 ///< a PNG file; empty: a scene
    std::array<std::size_t, 2> size{1920, 1080}; ///< columns, rows of the scene
    video::thresholds limits;
};

/// All of Canny (PAMI 8(6), 1986). The stencils are those of the application video, which ends hysteresis early.
video::marks edges_of(const video::grey& picture, const options& o)
{
    return fully_grown(video::marked(video::blurred(picture), o.limits));
}

int run(const options& o)
{
    const apps::image picture = o.input.empty() ? apps::scene(o.size[0], o.size[1], 0) : apps::read_png(o.input);
    const skelrt::runtime rt;
    apps::trial t("canny", o, rt);
    const video::grey grey = apps::grey_of(picture);
    std::optional<apps::plain_grid<int>> right;
    t.reference([&] { right = plain_canny(grey, o.limits); });
    t.on_each([&](apps::turn& now) {
        video::marks edges;
        now.time([&] {
            edges = edges_of(grey, o);
            skelrt::wait(edges);
        });
        const apps::image found = apps::white_where(edges, 2);
        now.check([&] {
            apps::comparison result;
            video::compare(result, 0, found, *right);
            return result;
        });
        now.picture([&] { return found; });
        if (now.last())
            fmt::print("{} x {} pixels, {} on edges\n\n", picture.width, picture.height,
                       std::ranges::count(found.bytes, 255) / 3);
    });
    return t.report({{"columns", picture.width}, {"rows", picture.height}},
                    {{"Mpixels/s", 1e-6 * static_cast<double>(picture.pixels()), "pixels_per_s", 1e6}},
                    {"pixels, by plain loops and a flood fill", "", "white"});
}

} // namespace
} // namespace canny

int main(int argc, char** argv)
{
    canny::options o;
    apps::command_line line("canny",
                            "Canny's edges in a picture: a Gaussian, Sobel's gradient, thinning and two thresholds by "
                            "sk::stencil,\nhysteresis by connected components, on the devices that you choose.",
                            {false, "write the edges to this PNG file"}, o);
    line.without_default("--input", o.input, "a PNG file; default: a scene");
    line.sizes("--size", o.size, 1 << 15, "pixels of the scene: columns,rows or one number");
    line.range("--sure", o.limits.sure, 0, 1000, "what is as steep is an edge: grey values a pixel");
    line.option("--maybe", o.limits.maybe, "and this, if it touches one");
    line.check([&] { apps::check_range("--maybe", o.limits.maybe, 0.0f, o.limits.sure); });
    return apps::run_program(line, argc, argv, [&] { return canny::run(o); });
}
