// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "options.hpp"
#include "plate.hpp"

#include "apps/shared/devices.hpp"
#include "apps/shared/plot.hpp"
#include "apps/shared/program.hpp"
#include "apps/shared/table.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

namespace heat
{
namespace
{

/// Rounding shifts every step a little, and where the body is smooth always in the same direction.
double tolerance(std::size_t steps) { return 1e-6 + 5e-8 * static_cast<double>(steps); }

/// The temperatures at the start and at the end, in double precision.
struct reference {
    std::vector<double> start, end; ///< the end: with --check only
};

template <class Body>
Body empty_body(const extents& size)
{
    if constexpr (Body::rank == 2) return Body(size.y, size.x, skelrt::uninitialized);
    else return Body({size.z, size.y, size.x}, skelrt::uninitialized);
}

template <class Body>
Body body_of(const extents& size, const std::vector<double>& values)
{
    Body result = empty_body<Body>(size);
    const auto to = skelrt::host_write(result);
    std::ranges::transform(values, to.data(), [](double v) { return static_cast<float>(v); });
    return result;
}

template <class Body>
apps::comparison compare(const Body& body, const reference& r, const options& o)
{
    apps::comparison result{tolerance(o.steps)};
    const double hottest = *std::ranges::max_element(r.start);
    const auto got = skelrt::host_read(body);
    const auto& n = o.size;
    for (std::size_t i = 0; i < r.end.size(); ++i)
        result.add(static_cast<double>(got.data()[i]), r.end[i], hottest,
                   [&] { return fmt::format("x {}, y {}, z {}", i % n.x, i / n.x % n.y, i / n.x / n.y); });
    return result;
}

template <class Body>
apps::field slice_of(const Body& body, const options& o)
{
    const auto from = skelrt::host_read(body);
    const float* first = from.data() + o.slice * o.size.x * o.size.y;
    return {o.size.x, o.size.y, std::vector<float>(first, first + o.size.x * o.size.y)};
}

std::string size_text(const options& o)
{
    const auto& n = o.size;
    return n.flat ? fmt::format("{} x {} points", n.x, n.y) : fmt::format("{} x {} x {} points", n.x, n.y, n.z);
}

void draw(const options& o, const apps::field& temperatures)
{
    const auto& n = o.size;
    const double longest = static_cast<double>(std::max(n.x, n.y));
    apps::plot p(temperatures, {"x", 0, static_cast<double>(n.x) / longest},
                 {"y", 0, static_cast<double>(n.y) / longest},
                 {0, apps::colour_limit(temperatures, 1.0), apps::dark_to_light, 10});
    const auto size = size_text(o) + (n.flat ? "" : fmt::format(", plane {}", o.slice));
    apps::write_png(o.picture, p.finished({fmt::format("Temperature after {} steps", o.steps), size, "temperature"}));
    fmt::print("picture: {}\n", o.picture.string());
}

std::vector<apps::rate> rates_of(const options& o)
{
    const double points = static_cast<double>(o.size.points()) * static_cast<double>(o.steps);
    return {{"Gpoints/s", points * 1e-9, "points_per_s", 1e9},
            {"GB/s", points * 2 * sizeof(float) * 1e-9, "bytes_per_s", 1e9}};
}

apps::problem_fields fields_of(const options& o)
{
    return {{"nx", std::to_string(o.size.x)},
            {"ny", std::to_string(o.size.y)},
            {"nz", std::to_string(o.size.z)},
            {"steps", std::to_string(o.steps)},
            {"alpha", fmt::format("{}", o.alpha)}};
}

template <class Body>
int run(const options& o)
{
    const skelrt::runtime rt;
    const auto devices = apps::devices_for(o.device, rt);
    fmt::print("{}, {} steps, alpha {:.4g}; a GB/s is one read and one write of a point per step\n\n", size_text(o),
               o.steps, o.alpha);
    std::fflush(stdout);
    const float alpha = static_cast<float>(o.alpha);
    const hot_body exact(o.size, static_cast<double>(alpha));
    const reference r{exact.after(0), o.check ? exact.after(o.steps) : std::vector<double>{}};

    std::vector<apps::measurement> rows;
    apps::field drawn;
    for (const auto& device : devices) {
        const Body start = body_of<Body>(o.size, r.start); // new ones for each device: nothing is left of the others
        Body end = empty_body<Body>(o.size);
        rows.push_back(apps::measure(device, rt, o.repeat, [&] {
            advance(end, start, o.steps, alpha);
            skelrt::wait(end);
        }));
        if (o.check) rows.back().check = compare(end, r, o);
        if (device == devices.back() && !o.picture.empty()) drawn = slice_of(end, o);
    }

    fmt::print("{}\n", apps::table_of(rows, rates_of(o)));
    if (o.check)
        fmt::print("{}", apps::check_text(rows, {"points with exact temperatures", "", "the hottest at the start"}));
    if (!o.csv.empty()) apps::write_csv(o.csv, {{fields_of(o), rows, rates_of(o)}});
    if (!o.picture.empty()) draw(o, drawn);
    fmt::print("{}", apps::figure(o.size.flat ? "heat_hybrid_vs_gpu" : "heat3_hybrid_vs_gpu", rows, "hybrid",
                                  apps::gpu_of(rows)));
    return apps::all_good(rows) ? apps::all_well : apps::failed;
}

} // namespace
} // namespace heat

int main(int argc, char** argv)
{
    return apps::run_program("heat", [&] {
        const auto options = heat::read_options(argc, argv);
        if (!options) return static_cast<int>(apps::all_well);
        return options->size.flat ? heat::run<heat::plate>(*options) : heat::run<heat::block>(*options);
    });
}
