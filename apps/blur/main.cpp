// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "options.hpp"
#include "pictures.hpp"
#include "reference.hpp"
#include "rival.hpp"

#include "apps/shared/devices.hpp"
#include "apps/shared/program.hpp"
#include "apps/shared/rival.hpp"
#include "apps/shared/table.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

namespace blur
{
namespace
{

/// What is blurred, and what must come out.
struct problem {
    std::vector<plane> source;
    weights gaussian;
    std::optional<reference> expected; ///< with --check
};

void check(apps::measurement& m, const problem& p, const std::vector<plane>& values)
{
    if (p.expected) m.check = p.expected->compare(values);
}

apps::measurement measure_device(const std::string& device, filter& f, const problem& p, const options& o,
                                 const skelrt::runtime& rt)
{
    auto result = apps::measure(device, rt, o.repeat, [&] {
        f.run();
        f.wait();
    });
    check(result, p, f.result());
    return result;
}

apps::measurement measure_rival(const problem& p, const options& o)
{
    std::vector<plane> values = p.source;
    rival::problem what{values[0].rows(), values[0].cols(),     static_cast<int>(values.size()),
                        o.times,          o.how == form::dense, {}};
    std::ranges::copy(p.gaussian, what.weights);
    auto result = apps::rival::measure(o.repeat, [&](int untimed, int repeat, auto* seconds) {
        std::vector<skelrt::host_matrix<const float>> in;
        std::vector<skelrt::host_matrix<float>> out;
        std::vector<const float*> from;
        std::vector<float*> to;
        for (std::size_t c = 0; c < values.size(); ++c) {
            from.push_back(in.emplace_back(skelrt::host_read(p.source[c])).data());
            to.push_back(out.emplace_back(skelrt::host_write(values[c])).data());
        }
        return rival::run(what, untimed, repeat, seconds, from.data(), to.data());
    });
    check(result, p, values);
    return result;
}

std::vector<apps::rate> rates_of(const problem& p, const options& o)
{
    const double pixels = static_cast<double>(p.source[0].size()) * o.times;
    // A pass reads and writes each colour of a pixel once; sums that a thread needs of its neighbours come from caches.
    const double bytes = pixels * 3 * 2 * sizeof(float) * (o.how == form::dense ? 1 : 2);
    return {{"Mpixels/s", pixels * 1e-6, "pixels_per_s", 1e6}, {"GB/s", bytes * 1e-9, "bytes_per_s", 1e9}};
}

std::string form_name(const options& o) { return o.how == form::dense ? "dense" : "separable"; }

apps::problem_fields fields_of(const problem& p, const options& o)
{
    return {{"columns", std::to_string(p.source[0].cols())},
            {"rows", std::to_string(p.source[0].rows())},
            {"form", form_name(o)},
            {"sigma", fmt::format("{}", o.sigma)},
            {"times", std::to_string(o.times)}};
}

std::string figures_of(const std::vector<apps::measurement>& rows, const options& o)
{
    const std::string name = o.how == form::dense ? "blur_dense" : "blur";
    return apps::figure("gpu_" + name + "_vs_hand", rows, "cuda", "rival") +
           apps::figure(name + "_hybrid_vs_gpu", rows, "hybrid", apps::gpu_of(rows));
}

void draw(const options& o, const apps::image& source, const apps::image& blurred)
{
    apps::write_png(o.picture, apps::shrunk(o.halves ? halves(source, blurred) : blurred, o.shrink));
    fmt::print("picture: {}\n", o.picture.string());
}

int run(const options& o)
{
    const auto source = o.input.empty() ? test_card(o.size[0], o.size[1]) : apps::read_png(o.input);
    const skelrt::runtime rt;
    const auto devices = apps::devices_for(o.device, rt);
    problem p{planes_of(source), weights_of(o.sigma), {}};
    fmt::print("{} x {} pixels, {} Gaussian of 19 values, sigma {}; {} filterings a run\n\n", source.width,
               source.height, form_name(o), o.sigma, o.times);
    std::fflush(stdout);
    if (o.check) p.expected.emplace(p.source, p.gaussian, o.times);

    std::vector<apps::measurement> rows;
    apps::image blurred;
    for (const auto& device : devices) {
        filter f(p.source, p.gaussian, o.how, o.times); // a new one for each device: nothing is left of the others
        rows.push_back(measure_device(device, f, p, o, rt));
        if (device == devices.back() && !o.picture.empty()) blurred = image_of(f.result());
    }
    if (o.rival) rows.push_back(measure_rival(p, o));

    fmt::print("{}\n", apps::table_of(rows, rates_of(p, o)));
    if (o.check)
        fmt::print("{}",
                   apps::check_text(rows, {"colours of pixels in double precision", "", "the range of a colour"}));
    if (!o.csv.empty()) apps::write_csv(o.csv, {{fields_of(p, o), rows, rates_of(p, o)}});
    if (!o.picture.empty()) draw(o, source, blurred);
    fmt::print("{}", figures_of(rows, o));
    return apps::all_good(rows) ? apps::all_well : apps::failed;
}

} // namespace
} // namespace blur

int main(int argc, char** argv)
{
    return apps::run_program("blur", [&] {
        const auto options = blur::read_options(argc, argv);
        return options ? blur::run(*options) : apps::all_well;
    });
}
