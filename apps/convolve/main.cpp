// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"
#include "reference.hpp"

#include "apps/shared/picture/pictures.hpp"
#include "apps/shared/program/devices.hpp"
#include "apps/shared/program/program.hpp"
#include "apps/shared/trial.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

namespace convolve
{
namespace
{

struct options : apps::common_options {
    std::vector<std::size_t> sizes{2048, 4096};
    std::vector<int> widths{3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27};
};

apps::problem_rows problem_of(std::size_t size, int width)
{
    const auto edge = static_cast<double>(size);
    const double gigaflops = 2e-9 * edge * edge * width * width;
    return {{{"size", std::to_string(size)}, {"width", std::to_string(width)}},
            {},
            {{"GFLOP/s", gigaflops, "flops", 1e9}, {"Mpixels/s", edge * edge * 1e-6, "pixels_per_s", 1e6}}};
}

/// Noise shows nothing.
picture source(std::size_t size, const options& o)
{
    if (o.picture.empty()) return noise(size);
    return apps::grey_of(apps::test_card(size, size)) / 255.0f;
}

/// Gives what the last device made.
picture measure_all(apps::problem_rows& p, const picture& from, int width, const std::vector<std::string>& devices,
                    const options& o, const skelrt::runtime& rt)
{
    picture to;
    const picture weights = leaning_gaussian(width);
    std::optional<reference> right;
    if (o.check) right.emplace(from, weights, width);
    for (const auto& device : devices) {
        const skelrt::only here(apps::set_of(device));
        to = picture(from.rows(), from.cols(), skelrt::uninitialized);
        p.rows.push_back(apps::measure(device, rt, o, [&] {
            filter(to, from, weights, width);
            skelrt::wait(to);
        }));
        if (o.check) p.rows.back().check = right->compare(to);
    }
    return to;
}

/// A line for each size and width, a column for each device.
void print_line(const apps::problem_rows& p)
{
    fmt::print("{:>6} {:>6}", p.problem[0].value, p.problem[1].value);
    for (const auto& row : p.rows) fmt::print(" {:>10.2f}", p.rates[0].per_run / row.median());
    fmt::print("\n");
    std::fflush(stdout);
}

/// The mean over the widths of a size.
void print_mean(std::span<const apps::problem_rows> of_size)
{
    fmt::print("{:>6} {:>6}", of_size.front().problem[0].value, "mean");
    for (std::size_t device = 0; device < of_size.front().rows.size(); ++device) {
        double sum = 0;
        for (const auto& p : of_size) sum += p.rates[0].per_run / p.rows[device].median();
        fmt::print(" {:>10.2f}", sum / static_cast<double>(of_size.size()));
    }
    fmt::print("\n");
}

int run(const options& o)
{
    const skelrt::runtime rt;
    const auto devices = apps::devices_for(o.device, rt);
    fmt::print("GFLOP/s, two operations a weight and pixel, of the median time\n{:>6} {:>6}", "size", "width");
    for (const auto& device : devices) fmt::print(" {:>10}", device);
    fmt::print("\n");
    std::vector<apps::problem_rows> all;
    std::vector<apps::measurement> rows;
    picture last;
    for (const std::size_t size : o.sizes) {
        const picture from = source(size, o);
        for (const int width : o.widths) {
            last = measure_all(all.emplace_back(problem_of(size, width)), from, width, devices, o, rt);
            print_line(all.back());
            std::ranges::copy(all.back().rows, std::back_inserter(rows));
        }
        print_mean(std::span(all).last(o.widths.size()));
    }
    fmt::print("\n");
    if (o.check)
        fmt::print("{}", apps::check_text(rows, {"pixels of the first line in double precision", "", "white"}));
    if (!o.csv.empty()) apps::write_csv(o.csv, all);
    if (!o.picture.empty()) apps::save(o, apps::image_of({last, last, last}));
    return apps::all_good(rows) ? apps::all_well : apps::failed;
}

} // namespace
} // namespace convolve

int main(int argc, char** argv)
{
    convolve::options o;
    o.repeat = 3;
    apps::command_line line("convolve",
                            "Filters of many widths, all weights of a square at once, by an sk::stencil whose weights "
                            "are a container,\non the devices that you choose.",
                            {false, "filter a test card, and write what the last filter makes of it to this PNG file"},
                            o);
    line.option("--size", o.sizes, "edges of square pictures, with commas");
    line.option("--width", o.widths, "of filters: odd numbers, with commas");
    line.check([&] {
        for (const std::size_t n : o.sizes) apps::check_range<std::size_t>("--size", n, 1, 1 << 15);
        for (const int w : o.widths) {
            apps::check_range("--width", w, 1, 63);
            if (w % 2 == 0) throw apps::input_error(fmt::format("--width {}: filters have a middle, so it is odd", w));
        }
    });
    return apps::run_program(line, argc, argv, [&] { return convolve::run(o); });
}
