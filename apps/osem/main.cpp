// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "reference.hpp"

#include "apps/shared/picture/plot.hpp"
#include "apps/shared/trial.hpp"

#include <fmt/format.h>

namespace osem
{
namespace
{

struct options : apps::common_options {
    int size = 64;
    std::size_t events = 500'000, subsets = 10, iterations = 1;
};

/// Largest error that passes: few decays cross a voxel, and noise magnifies rounding.
constexpr double tolerance = 5e-3;

/// The slice in the middle.
apps::image drawn(const image& result, const options& o)
{
    const auto n = static_cast<std::size_t>(o.size);
    const auto from = skelrt::host_read(result);
    const float* const first = from.data() + n / 2 * n * n;
    return apps::plot_of({n, n, {first, first + n * n}},
                         {"Activity, the slice in the middle",
                          fmt::format("{} decays, {} subsets, {} iteration{}", o.events, o.subsets, o.iterations,
                                      o.iterations == 1 ? "" : "s"),
                          "decays"},
                         0.995);
}

int run(const options& o)
{
    const skelrt::runtime rt;
    apps::trial t("osem", o, rt);
    const events seen = phantom(o.events, o.size), calibration = flood(o.events, o.size);
    std::vector<double> right;
    if (o.check) {
        const plain_reconstruction plain(calibration, o.size);
        t.reference([&] { right = plain.run(seen, o.subsets, o.iterations); });
    }
    fmt::print("{}^3 voxels, {} events in {} subsets, {} iterations\n\n", o.size, o.events, o.subsets, o.iterations);
    t.on_each([&](apps::turn& now) {
        reconstruction r(seen, calibration, o.size, o.subsets);
        now.time([&] {
            r.run(o.iterations);
            skelrt::wait(r.result());
        });
        now.check([&] {
            return apps::compare(tolerance, skelrt::host_read(r.result()), right, apps::largest_of(right),
                                 apps::numbered("voxel"));
        });
        now.picture([&] { return drawn(r.result(), o); });
    });
    const auto paths = static_cast<double>(o.events / o.subsets * o.subsets * o.iterations);
    return t.report({{"size", o.size}, {"events", o.events}, {"subsets", o.subsets}, {"iterations", o.iterations}},
                    {{"Mevents/s", 1e-6 * paths, "events_per_s", 1e6}},
                    {"voxels in double precision", "", "the brightest"});
}

} // namespace
} // namespace osem

int main(int argc, char** argv)
{
    osem::options o;
    apps::command_line line(
        "osem",
        "Positron emission tomography: list-mode OSEM along Siddon's paths, by an sk::for_each that "
        "adds to voxels anywhere,\non the devices that you choose.",
        {false, "write the slice in the middle to this PNG file"}, o);
    line.range("--size", o.size, 4, 1024, "voxels along an edge of the image");
    line.range("--events", o.events, 1, std::size_t{1} << 32, "decays that were seen");
    line.option("--subsets", o.subsets, "each changes the image once an iteration");
    line.check([&] { apps::check_range<std::size_t>("--subsets", o.subsets, 1, o.events); });
    line.range("--iterations", o.iterations, 1, 1000, "through all events");
    return apps::run_program(line, argc, argv, [&] { return osem::run(o); });
}
