// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "options.hpp"
#include "reference.hpp"
#include "rival.hpp"

#include "apps/shared/devices.hpp"
#include "apps/shared/image.hpp"
#include "apps/shared/program.hpp"
#include "apps/shared/rival.hpp"
#include "apps/shared/table.hpp"

#include <cstdio>

#include <fmt/format.h>

namespace mandelbrot
{
namespace
{

using pixels = skelrt::matrix<pixel>;

apps::comparison check(const pixels& picture, const view& v)
{
    return compare(skelrt::host_read(picture).data(), picture.rows(), picture.cols(), v);
}

apps::measurement measure_device(const std::string& device, pixels& picture, const view& v, const options& o,
                                 const skelrt::runtime& rt)
{
    auto result = apps::measure(device, rt, o.repeat, [&] {
        compute(picture, v);
        skelrt::wait(picture);
    });
    if (o.check) result.check = check(picture, v);
    return result;
}

apps::measurement measure_rival(const view& v, const options& o)
{
    pixels picture(o.size[1], o.size[0], skelrt::uninitialized);
    const rival::problem p{picture.rows(), picture.cols(), v.x, v.y, v.step, v.limit};
    auto result = apps::rival::measure(o.repeat, [&](int untimed, int repeat, auto* seconds) {
        const auto to = skelrt::host_write(picture);
        return rival::run(p, untimed, repeat, seconds, &to.data()->r);
    });
    if (o.check) result.check = check(picture, v);
    return result;
}

apps::image image_of(const pixels& picture)
{
    apps::image result(picture.cols(), picture.rows());
    const auto from = skelrt::host_read(picture);
    for (std::size_t i = 0; i < result.pixels(); ++i) {
        const pixel& p = from.data()[i];
        result.bytes[3 * i] = p.r;
        result.bytes[3 * i + 1] = p.g;
        result.bytes[3 * i + 2] = p.b;
    }
    return result;
}

std::vector<apps::rate> rates_of(const options& o)
{
    return {{"Mpixels/s", static_cast<double>(o.size[0] * o.size[1]) * 1e-6, "pixels_per_s", 1e6}};
}

apps::problem_fields fields_of(const options& o)
{
    return {{"columns", std::to_string(o.size[0])},     {"rows", std::to_string(o.size[1])},
            {"x", fmt::format("{}", o.part.x)},         {"y", fmt::format("{}", o.part.y)},
            {"width", fmt::format("{}", o.part.width)}, {"iterations", std::to_string(o.iterations)}};
}

void print_problem(const options& o)
{
    fmt::print("{} x {} pixels of the Mandelbrot set around {} + {}i, {} wide; at most {} iterations\n\n", o.size[0],
               o.size[1], o.part.x, o.part.y, o.part.width, o.iterations);
    std::fflush(stdout);
}

int run(const options& o)
{
    const view v = view_of(o.part, o.size[0], o.size[1], o.iterations);
    const skelrt::runtime rt;
    const auto devices = apps::devices_for(o.device, rt);
    print_problem(o);
    std::vector<apps::measurement> rows;
    apps::image drawn;
    for (const auto& device : devices) {
        pixels picture(o.size[1], o.size[0], skelrt::uninitialized); // a new one for each device
        rows.push_back(measure_device(device, picture, v, o, rt));
        if (device == devices.back() && !o.picture.empty()) drawn = image_of(picture);
    }
    if (o.rival) rows.push_back(measure_rival(v, o));

    fmt::print("{}\n", apps::table_of(rows, rates_of(o)));
    if (o.check)
        fmt::print("{}", apps::check_text(rows, {"pixels in double precision", "", "all of them", "wrong ones"}));
    if (!o.csv.empty()) apps::write_csv(o.csv, {{fields_of(o), rows, rates_of(o)}});
    if (!o.picture.empty()) {
        apps::write_png(o.picture, apps::shrunk(drawn, o.shrink));
        fmt::print("picture: {}\n", o.picture.string());
    }
    fmt::print("{}{}", apps::figure("gpu_mandelbrot_vs_hand", rows, "cuda", "rival"),
               apps::figure("mandelbrot_hybrid_vs_gpu", rows, "hybrid", apps::gpu_of(rows)));
    return apps::all_good(rows) ? apps::all_well : apps::failed;
}

} // namespace
} // namespace mandelbrot

int main(int argc, char** argv)
{
    return apps::run_program("mandelbrot", [&] {
        const auto options = mandelbrot::read_options(argc, argv);
        return options ? mandelbrot::run(*options) : apps::all_well;
    });
}
