// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "reference.hpp"

#include "apps/shared/picture/plot.hpp"
#include "apps/shared/trial.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

namespace heat
{
namespace
{

struct options : apps::common_options {
    int dimensions = 2;
    extents size{4096, 4096, 1};
    std::size_t steps = 100;
    double alpha = 0;      ///< time step times conductivity over the square of the distance of points
    std::size_t slice = 0; ///< the plane that is drawn

    bool plate() const { return dimensions == 2; }
    std::size_t points() const { return size[0] * size[1] * size[2]; }
    std::string text() const
    {
        return fmt::format("{} points", fmt::join(size.begin(), size.begin() + dimensions, " x "));
    }
};

/// Rounding shifts every step a little, and where the body is smooth always in the same direction.
double tolerance(std::size_t steps) { return 1e-6 + 5e-8 * static_cast<double>(steps); }

/// A few humps; places and widths are parts of the edges.
std::vector<double> hot_spots(const options& o)
{
    struct spot {
        std::array<double, 3> at;
        double width, temperature;
    };
    constexpr spot spots[] = {{{0.28, 0.66, 0.50}, 0.09, 1.00}, {{0.70, 0.74, 0.42}, 0.06, 0.85},
                              {{0.58, 0.36, 0.55}, 0.11, 0.70}, {{0.20, 0.25, 0.47}, 0.05, 0.90},
                              {{0.84, 0.22, 0.58}, 0.05, 0.75}, {{0.45, 0.86, 0.52}, 0.05, 0.60}};
    std::vector<double> result(o.points(), 0.0);
    for (const spot& s : spots) {
        std::array<std::vector<double>, 3> along;
        for (std::size_t d = 0; d < 3; ++d)
            for (std::size_t i = 0; i < o.size[d]; ++i) {
                const double off =
                    (static_cast<double>(i + 1) / static_cast<double>(o.size[d] + 1) - s.at[d]) / s.width;
                along[d].push_back(d == 2 && o.plate() ? 1 : std::exp(-0.5 * off * off));
            }
        double* to = result.data();
        for (const double z : along[2])
            for (const double y : along[1])
                for (const double x : along[0]) *to++ += s.temperature * x * y * z;
    }
    return result;
}

template <class Body>
Body empty_body(const extents& n)
{
    if constexpr (Body::rank == 2) return Body(n[1], n[0], skelrt::uninitialized);
    else return Body({n[2], n[1], n[0]}, skelrt::uninitialized);
}

apps::image drawn(const float* values, const options& o)
{
    const float* const first = values + o.slice * o.size[0] * o.size[1];
    const apps::field slice{o.size[0], o.size[1], {first, first + o.size[0] * o.size[1]}};
    return apps::plot_of(slice, {fmt::format("Temperature after {} steps", o.steps),
                                 o.text() + (o.plate() ? "" : fmt::format(", plane {}", o.slice)), "temperature"});
}

template <class Body>
int run(const options& o)
{
    const skelrt::runtime rt;
    apps::trial t(o.plate() ? "heat" : "heat3", o, rt);
    fmt::print("{}, {} steps, alpha {:.4g}; a GB/s is one read and one write of a point per step\n\n", o.text(),
               o.steps, o.alpha);
    const float alpha = static_cast<float>(o.alpha);
    const std::vector<double> hot = hot_spots(o);
    std::vector<double> right;
    t.reference([&] { right = plain_steps(hot, o.size, o.plate(), o.steps, static_cast<double>(alpha)); });
    t.on_each([&](apps::turn& now) {
        Body start = empty_body<Body>(o.size),
             end = empty_body<Body>(o.size); // new ones: nothing is left of the others
        std::ranges::transform(hot, skelrt::host_write(start).data(), [](double v) { return static_cast<float>(v); });
        now.time([&] {
            advance(end, start, o.steps, alpha);
            skelrt::wait(end);
        });
        now.check([&] {
            return apps::compare(tolerance(o.steps), skelrt::host_read(end), right, apps::largest_of(hot), [&](auto i) {
                return fmt::format("x {}, y {}, z {}", i % o.size[0], i / o.size[0] % o.size[1],
                                   i / o.size[0] / o.size[1]);
            });
        });
        now.picture([&] { return drawn(skelrt::host_read(end).data(), o); });
    });
    const double points = 1e-9 * static_cast<double>(o.points() * o.steps);
    return t.report(
        {{"nx", o.size[0]}, {"ny", o.size[1]}, {"nz", o.size[2]}, {"steps", o.steps}, {"alpha", o.alpha}},
        {{"Gpoints/s", points, "points_per_s", 1e9}, {"GB/s", 2 * sizeof(float) * points, "bytes_per_s", 1e9}},
        {"points of plain loops in double precision", "", "the hottest at the start"});
}

/// What depends on the dimensions.
void check(options& o, const std::string& grid, const apps::command_line& line)
{
    if (o.plate()) {
        const auto n = apps::parse_sizes<2>(grid.empty() ? "4096" : grid, "--grid", 1 << 16);
        o.size = {n[0], n[1], 1};
    } else {
        o.size = apps::parse_sizes<3>(grid.empty() ? "512" : grid, "--grid", 1 << 16);
    }
    apps::check_range<std::size_t>("--grid, points", o.points(), 1, std::size_t{1} << 33);
    const double stable = 0.5 / o.dimensions;
    if (!line.given("--alpha")) o.alpha = 0.8 * stable;
    if (!line.given("--slice")) o.slice = o.size[2] / 2;
    apps::check_range("--alpha", o.alpha, 1e-30, stable); // beyond, explicit steps are not stable
    apps::check_range<std::size_t>("--slice", o.slice, 0, o.size[2] - 1);
}

} // namespace
} // namespace heat

int main(int argc, char** argv)
{
    heat::options o;
    std::string grid;
    apps::command_line line("heat",
                            "Heat flows through a plate or a block with hot spots and cold edges: explicit steps by "
                            "sk::stencil on the devices\nthat you choose.",
                            {false, "write the temperatures at the end to this PNG file"}, o);
    line.range("--dimensions", o.dimensions, 2, 3, "2: a plate, 3: a block");
    line.without_default("--grid", grid, "points along x, y (and z), or one number; default: 4096, or 512 in 3-D");
    line.range("--steps", o.steps, 0, 100'000'000, "time steps of each run");
    line.without_default("--alpha", o.alpha, "conductivity * time step / distance^2; default: 0.8 of what is stable");
    line.without_default("--slice", o.slice, "plane of a block that is drawn; default: the middle");
    line.check([&] { heat::check(o, grid, line); });
    return apps::run_program(line, argc, argv,
                             [&] { return o.plate() ? heat::run<heat::plate>(o) : heat::run<heat::block>(o); });
}
