// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "reference.hpp"

#include "apps/shared/picture/pictures.hpp"
#include "apps/shared/trial.hpp"

#include <skelrt/pipeline.hpp>

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

namespace video
{
namespace
{

struct options : apps::common_options {
    std::filesystem::path input, output;       ///< folders of PNG files; empty: a scene, and nothing is written
    std::array<std::size_t, 2> size{640, 480}; ///< columns, rows of the scene
    std::size_t frames = 50;                   ///< of the scene
    std::size_t window = 0;                    ///< frames at a time; 0: 4 a core
};

using frames = std::function<apps::image(std::size_t number)>;

/// The edges of the first frames, in their order: several frames at a time, each on its own core or device.
std::vector<apps::image> edges_in(const frames& frame, std::size_t count, const options& o)
{
    namespace sk = skelrt;
    std::vector<apps::image> all;
    std::size_t next = 0;
    const auto write = [&](apps::image edges) {
        if (!o.output.empty()) apps::write_png(o.output / fmt::format("edges-{:05}.png", all.size()), edges);
        all.push_back(std::move(edges));
    };
    sk::pipeline(sk::source("count", [&] { return next < count ? std::optional(next++) : std::nullopt; }),
                 sk::parallel("read", [&](std::size_t number) { return apps::grey_of(frame(number)); }),
                 sk::parallel("blur", [](const grey& g) { return blurred(g); }),
                 sk::parallel("canny", [](const grey& g) { return apps::white_where(edges_of(g, {}), 2); }),
                 sk::in_order("write", write))
        .named("film")
        .window(o.window)();
    return all;
}

int run(const options& o)
{
    std::vector<std::filesystem::path> files; // read anew each time; a scene is in memory
    std::vector<apps::image> scene;
    if (!o.input.empty()) files = apps::png_files_in(o.input);
    else
        for (std::size_t k = 0; k < o.frames; ++k) scene.push_back(apps::scene(o.size[0], o.size[1], k));
    const auto frame = [&](std::size_t k) { return files.empty() ? scene[k] : apps::read_png(files[k]); };
    const std::size_t count = std::max(files.size(), scene.size());
    const apps::image first = frame(0);
    const skelrt::runtime rt;
    apps::trial t("video", o, rt);
    std::vector<apps::plain_grid<int>> right;
    t.reference([&] {
        for (std::size_t k = 0; k < count; ++k) right.push_back(plain_edges(apps::grey_of(frame(k))));
    });
    fmt::print("edges in {} frames of {} x {} pixels\n\n", count, first.width, first.height);
    t.on_each([&](apps::turn& now) {
        std::vector<apps::image> edges;
        now.time([&] { edges = edges_in(frame, count, o); });
        now.check([&] {
            apps::comparison all;
            for (std::size_t k = 0; k < right.size(); ++k) compare(all, k, edges[k], right[k]);
            return all;
        });
        if (now.last())
            fmt::print("{} pixels of the last frame are on edges\n\n", std::ranges::count(edges.back().bytes, 255) / 3);
    });
    if (!o.output.empty()) fmt::print("pictures: {}\n", o.output.string());
    return t.report({{"columns", first.width}, {"rows", first.height}, {"frames", count}, {"window", o.window}},
                    {{"frames/s", static_cast<double>(count), "frames_per_s"}},
                    {"pixels, frame after frame by plain loops", "", "white"});
}

} // namespace
} // namespace video

int main(int argc, char** argv)
{
    video::options o;
    apps::command_line line(
        "video",
        "Edges in the frames of a film: a Gaussian, Sobel's gradient, thinning and two thresholds by "
        "sk::stencil, on the\ndevices that you choose. An sk::pipeline keeps several frames under "
        "way, and writes them in their order.",
        {}, o);
    line.without_default("--input", o.input, "folder of frames, PNG files; default: a scene that moves");
    line.without_default("--output", o.output, "folder for the edges of each frame, as PNG files");
    line.sizes("--size", o.size, 1 << 14, "pixels of the scene: columns,rows or one number");
    line.range("--frames", o.frames, 1, 100'000, "of the scene");
    line.option("--window", o.window, "frames under way at a time; 0: four a core");
    line.check([&] { apps::check_folder(o.output / "x", "--output"); });
    return apps::run_program(line, argc, argv, [&] { return video::run(o); });
}
