// SPDX-License-Identifier: BSD-3-Clause
#include "film.hpp"
#include "options.hpp"
#include "pictures.hpp"
#include "reference.hpp"

#include "apps/shared/devices.hpp"
#include "apps/shared/program.hpp"
#include "apps/shared/table.hpp"

#include <cstdio>

#include <fmt/format.h>

namespace video
{
namespace
{

/// The frames, and what must come out.
struct problem {
    std::vector<apps::image> scene; ///< without --input
    std::vector<std::filesystem::path> files;
    std::vector<apps::image> expected; ///< with --check

    std::size_t count() const { return files.empty() ? scene.size() : files.size(); }
    apps::image frame(std::size_t number) const
    {
        return files.empty() ? scene[number] : apps::read_png(files[number]);
    }
};

problem problem_of(const options& o)
{
    problem p;
    if (!o.input.empty()) p.files = frames_in(o.input);
    else
        for (std::size_t k = 0; k < o.frames; ++k) p.scene.push_back(scene(o.size[0], o.size[1], k));
    for (std::size_t k = 0; o.check && k < p.count(); ++k) p.expected.push_back(plain_edges(p.frame(k)));
    return p;
}

struct seen {
    apps::measurement row;
    std::size_t on_edges = 0; ///< pixels of the last frame
};

seen measure_device(const std::string& device, const problem& p, const options& o, const skelrt::runtime& rt)
{
    film f([&](std::size_t number) { return p.frame(number); }, p.count(), o.window, o.output);
    auto result = apps::measure(device, rt, o.repeat, [&] { f.run(); });
    for (std::size_t k = 0; k < p.expected.size(); ++k) compare(result.check, k, f.edges()[k], p.expected[k]);
    return {std::move(result), pixels_on_edges(f.edges().back())};
}

std::vector<apps::rate> rates_of(const problem& p)
{
    return {{"frames/s", static_cast<double>(p.count()), "frames_per_s"}};
}

apps::problem_fields fields_of(const problem& p, const options& o)
{
    const apps::image first = p.frame(0);
    return {{"columns", std::to_string(first.width)},
            {"rows", std::to_string(first.height)},
            {"frames", std::to_string(p.count())},
            {"window", std::to_string(o.window)}};
}

int run(const options& o)
{
    const problem p = problem_of(o);
    const skelrt::runtime rt;
    const auto devices = apps::devices_for(o.device, rt);
    fmt::print("edges in {} frames of {} x {} pixels\n\n", p.count(), p.frame(0).width, p.frame(0).height);
    std::fflush(stdout);
    std::vector<apps::measurement> rows;
    std::size_t on_edges = 0;
    for (const auto& device : devices) {
        seen by_device = measure_device(device, p, o, rt);
        rows.push_back(std::move(by_device.row));
        on_edges = by_device.on_edges;
    }
    fmt::print("{} pixels of the last frame are on edges\n\n", on_edges);

    fmt::print("{}\n", apps::table_of(rows, rates_of(p)));
    if (o.check) fmt::print("{}", apps::check_text(rows, {"pixels, frame after frame by plain loops", "", "white"}));
    if (!o.csv.empty()) apps::write_csv(o.csv, {{fields_of(p, o), rows, rates_of(p)}});
    if (!o.output.empty()) fmt::print("pictures: {}\n", o.output.string());
    fmt::print("{}", apps::figure("video_hybrid_vs_gpu", rows, "hybrid", apps::gpu_of(rows)));
    return apps::all_good(rows) ? apps::all_well : apps::failed;
}

} // namespace
} // namespace video

int main(int argc, char** argv)
{
    return apps::run_program("video", [&] {
        const auto options = video::read_options(argc, argv);
        return options ? video::run(*options) : apps::all_well;
    });
}
