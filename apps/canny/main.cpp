// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "apps/shared/devices.hpp"
#include "apps/shared/program.hpp"
#include "apps/shared/report.hpp"
#include "apps/video/pictures.hpp"
#include "apps/video/reference.hpp"

#include <fmt/format.h>

namespace canny
{
namespace
{

/// All of Canny (PAMI 8(6), 1986). The stencils are those of the application video, which ends hysteresis early.
video::marks edges_of(const video::grey& picture, const options& o)
{
    return video::fully_grown(video::marked(video::blurred(picture), o.limits), o.check_every);
}

apps::problem_rows rows_of(const apps::image& picture)
{
    return {{{"columns", std::to_string(picture.width)}, {"rows", std::to_string(picture.height)}},
            {},
            {{"Mpixels/s", static_cast<double>(picture.pixels()) * 1e-6, "pixels_per_s", 1e6}}};
}

int run(const options& o)
{
    const apps::image picture = o.input.empty() ? video::scene(o.size[0], o.size[1], 0) : apps::read_png(o.input);
    const skelrt::runtime rt;
    const auto devices = apps::devices_for(o.device, rt);
    apps::outcome all{"canny", rows_of(picture), {"pixels, by plain loops and a flood fill", "", "white"}};
    apps::image right;
    if (o.check) all.reference_seconds = apps::seconds_of([&] { right = video::plain_canny(picture, o.limits); });
    const video::grey grey = video::grey_of(picture);
    for (const auto& device : devices) {
        const skelrt::only here(apps::set_of(device));
        video::marks edges;
        auto& row = all.problem.rows.emplace_back(apps::measure(device, rt, o.repeat, [&] {
            edges = edges_of(grey, o);
            skelrt::wait(edges);
        }));
        const apps::image found = video::image_of(edges);
        if (o.check) video::compare(row.check, 0, found, right);
        if (device != devices.back()) continue;
        fmt::print("{} x {} pixels, {} on edges\n\n", picture.width, picture.height, video::pixels_on_edges(found));
        if (o.picture.empty()) continue;
        apps::write_png(o.picture, found);
        fmt::print("picture: {}\n", o.picture.string());
    }
    return apps::report(o, all);
}

} // namespace
} // namespace canny

int main(int argc, char** argv)
{
    return apps::run_program("canny", [&] {
        const auto options = canny::read_options(argc, argv);
        return options ? canny::run(*options) : apps::all_well;
    });
}
