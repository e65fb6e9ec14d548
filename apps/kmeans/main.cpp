// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "options.hpp"
#include "reference.hpp"

#include "apps/shared/canvas.hpp"
#include "apps/shared/devices.hpp"
#include "apps/shared/program.hpp"
#include "apps/shared/report.hpp"

#include <cmath>

#include <fmt/format.h>

namespace kmeans
{
namespace
{

template <class Points>
std::vector<float> flat(const Points& points)
{
    std::vector<float> result;
    for (const auto& p : skelrt::host_read(points)) result.insert(result.end(), p.begin(), p.end());
    return result;
}

apps::comparison compare(const std::vector<float>& centres, const plain_result& right)
{
    apps::comparison result{1e-3}; // a point in the middle between two may go to either
    for (std::size_t i = 0; i < centres.size(); ++i)
        result.add(static_cast<double>(centres[i]), static_cast<double>(right.centres[i]), 1.0,
                   [&] { return fmt::format("coordinate {}", i); });
    return result;
}

apps::colour colour_of(int label)
{
    const auto shade = [&](float turn) { return 0.5f + 0.4f * std::cos(2.4f * static_cast<float>(label) + turn); };
    return {shade(0), shade(2.1f), shade(4.2f)};
}

void draw(const clustering<2>& c, const std::filesystem::path& file)
{
    constexpr int side = 900;
    apps::canvas to(side, side, {1, 1, 1});
    const auto pixel_of = [](const std::array<float, 2>& p) {
        return apps::point{side * (p[0] + 2) / 19, side * (17 - p[1]) / 19};
    };
    const auto points = skelrt::host_read(c.points());
    const skelrt::vector<int> labels = c.labels();
    const auto label = skelrt::host_read(labels);
    const std::size_t stride = points.size() / 20'000 + 1;
    for (std::size_t i = 0; i < points.size(); i += stride) to.disc(pixel_of(points[i]), 1.5f, colour_of(label[i]));
    for (const auto& p : skelrt::host_read(c.centres())) to.disc(pixel_of(p), 6, {0, 0, 0});
    apps::write_png(file, to.finished());
    fmt::print("picture: {}\n", file.string());
}

apps::problem_rows rows_of(const options& o)
{
    const double points = static_cast<double>(o.points) * static_cast<double>(o.iterations);
    return {{{"points", std::to_string(o.points)},
             {"dimensions", std::to_string(o.dimensions)},
             {"clusters", std::to_string(o.clusters)},
             {"iterations", std::to_string(o.iterations)}},
            {},
            {{"Mpoints/s", points * 1e-6, "points_per_s", 1e6},
             {"GFLOP/s", 3e-9 * points * o.dimensions * static_cast<double>(o.clusters), ""}}};
}

template <int D>
int run(const options& o)
{
    const skelrt::runtime rt;
    const auto devices = apps::devices_for(o.device, rt);
    const auto points = sixteen_heaps<D>(o.points);
    apps::outcome all{"kmeans", rows_of(o), {"coordinates of centres", "", "a heap's width, nearly 1"}};
    plain_result right;
    if (o.check) right = plain_kmeans(flat(points), o), all.reference_seconds = right.seconds;
    fmt::print("{} points in {} dimensions, {} clusters, {} iterations\n\n", o.points, D, o.clusters, o.iterations);
    for (const auto& device : devices) {
        const skelrt::only here(apps::set_of(device));
        clustering<D> c(points);
        auto& row = all.problem.rows.emplace_back(apps::measure(device, rt, o.repeat, [&] {
            c.begin(o.clusters);
            c.iterate(o.iterations);
            skelrt::wait(c.centres());
        }));
        fmt::print("{}: distance to the nearest centre, root mean square: {:.5f}\n", device,
                   std::sqrt(c.inertia() / static_cast<double>(o.points)));
        if (o.check) row.check = compare(flat(c.centres()), right);
        if constexpr (D == 2)
            if (!o.picture.empty() && device == devices.back()) draw(c, o.picture);
    }
    fmt::print("\n");
    return apps::report(o, all);
}

} // namespace
} // namespace kmeans

int main(int argc, char** argv)
{
    return apps::run_program("kmeans", [&] {
        const auto options = kmeans::read_options(argc, argv);
        if (!options) return static_cast<int>(apps::all_well);
        switch (options->dimensions) { // kernels are compiled for each
        case 2:
            return kmeans::run<2>(*options);
        case 3:
            return kmeans::run<3>(*options);
        case 4:
            return kmeans::run<4>(*options);
        default:
            return kmeans::run<8>(*options);
        }
    });
}
