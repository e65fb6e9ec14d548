// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "reference.hpp"

#include "apps/shared/picture/canvas.hpp"
#include "apps/shared/trial.hpp"

#include <cmath>

#include <fmt/format.h>

namespace kmeans
{
namespace
{

struct options : apps::common_options {
    std::string dimensions = "2";
    std::size_t points = 1'000'000, clusters = 16, iterations = 10;
};

template <class Points>
std::vector<float> flat(const Points& points)
{
    std::vector<float> result;
    for (const auto& p : skelrt::host_read(points)) result.insert(result.end(), p.begin(), p.end());
    return result;
}

apps::colour colour_of(int label)
{
    const auto shade = [&](float turn) { return 0.5f + 0.4f * std::cos(2.4f * static_cast<float>(label) + turn); };
    return {shade(0), shade(2.1f), shade(4.2f)};
}

/// Of more dimensions, the first two.
template <int D>
apps::image drawn(const clustering<D>& c)
{
    constexpr int side = 900;
    apps::canvas to(side, side, {1, 1, 1});
    const auto pixel_of = [](const std::array<float, D>& p) {
        return apps::point{side * (p[0] + 2) / 19, side * (17 - p[1]) / 19};
    };
    const auto points = skelrt::host_read(c.points());
    const skelrt::vector<int> labels = c.labels();
    const auto label = skelrt::host_read(labels);
    const std::size_t stride = points.size() / 20'000 + 1;
    for (std::size_t i = 0; i < points.size(); i += stride) to.disc(pixel_of(points[i]), 1.5f, colour_of(label[i]));
    for (const auto& p : skelrt::host_read(c.centres())) to.disc(pixel_of(p), 6, {0, 0, 0});
    return to.finished();
}

template <int D>
int run(const options& o)
{
    const skelrt::runtime rt;
    apps::trial t("kmeans", o, rt);
    const auto points = sixteen_heaps<D>(o.points);
    const std::vector<float> on_host = flat(points);
    std::vector<float> right;
    t.reference([&] { right = plain_centres(on_host, D, o.clusters, o.iterations); });
    fmt::print("{} points in {} dimensions, {} clusters, {} iterations\n\n", o.points, D, o.clusters, o.iterations);
    t.on_each([&](apps::turn& now) {
        clustering<D> c(points);
        now.time([&] {
            c.begin(o.clusters);
            c.iterate(o.iterations);
            skelrt::wait(c.centres());
        });
        fmt::print("{}: distance to the nearest centre, root mean square: {:.5f}\n", now.device(),
                   std::sqrt(c.inertia() / static_cast<double>(o.points)));
        now.check([&] { // a point in the middle between two may go to either
            return apps::compare(1e-3, flat(c.centres()), right, 1.0, apps::numbered("coordinate"));
        });
        now.picture([&] { return drawn(c); });
    });
    fmt::print("\n");
    const double visits = static_cast<double>(o.points * o.iterations);
    return t.report({{"points", o.points}, {"dimensions", D}, {"clusters", o.clusters}, {"iterations", o.iterations}},
                    {{"Mpoints/s", 1e-6 * visits, "points_per_s", 1e6},
                     {"GFLOP/s", 3e-9 * visits * D * static_cast<double>(o.clusters), ""}},
                    {"coordinates of centres", "", "a heap's width, nearly 1"});
}

} // namespace
} // namespace kmeans

int main(int argc, char** argv)
{
    kmeans::options o;
    apps::command_line line("kmeans",
                            "Lloyd's iterations: points go to the nearest centre, and centres to the middle of their "
                            "points, by an sk::for_each\nwith an accumulator, on the devices that you choose.",
                            {false, "write the clusters, in two dimensions, to this PNG file"}, o);
    line.range("--points", o.points, 1, 1 << 30, "how many, around 16 places");
    line.choice("--dimensions", o.dimensions, {"2", "3", "4", "8"}, "of a point: 2, 3, 4 or 8");
    line.range("--clusters", o.clusters, 1, 1024, "how many centres, at most one a point");
    line.range("--iterations", o.iterations, 1, 1'000'000, "of each run");
    line.check([&] { apps::check_range<std::size_t>("--clusters", o.clusters, 1, o.points); });
    return apps::run_program(line, argc, argv, [&] {
        if (o.dimensions == "2") return kmeans::run<2>(o); // kernels are compiled for each
        if (o.dimensions == "3") return kmeans::run<3>(o);
        return o.dimensions == "4" ? kmeans::run<4>(o) : kmeans::run<8>(o);
    });
}
