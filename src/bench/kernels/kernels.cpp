// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/kernels/kernels.hpp"

#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/shared/devices.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

namespace bench
{
namespace
{

struct kernel_work {
    const char* name;
    void (*race)(report&, const kernel_options&, rival_team&);
};

constexpr kernel_work kernel_works[] = {
    {"convolve", race_convolution},
    {"transpose_add", race_transposed_sum},
    {"lbm", race_lattice},
    {"osem", race_osem},
};

template <class T>
void compare_values(const std::string& who, const std::vector<T>& found, const std::vector<T>& wanted, double most)
{
    if (found.size() != wanted.size())
        throw std::runtime_error(fmt::format("{}: {} values instead of {}", who, found.size(), wanted.size()));
    for (std::size_t i = 0; i < found.size(); ++i)
        if (!(std::abs(static_cast<double>(found[i]) - static_cast<double>(wanted[i])) <= most))
            throw std::runtime_error(fmt::format("{}: value {} is {} instead of {}", who, i, found[i], wanted[i]));
}

void check_sizes(const kernel_options& o)
{
    if (o.n < 3) throw std::runtime_error("--n: lattices have three columns or more");
    for (const int w : o.widths)
        if (w < least_width || w > most_width || w % 2 == 0)
            throw std::runtime_error(
                fmt::format("--width {}: filters are {} to {} wide, and odd", w, least_width, most_width));
}

int run_kernels(report& out, kernel_options o)
{
    complete_race(o);
    check_sizes(o);
    const auto rt = start_runtime(o.device);
    out.note("devices:     " + devices_text(*rt));
    out.note(
        "convolve: as application convolve, pictures of n x n floats; transpose_add: b += transpose(a), a += 1, of "
        "2n x 2n doubles; lbm: ten steps of application lbm in n x n cells, bytes: each cell read once and written "
        "once; osem: application osem through four subsets; rates are of the best time, figures of the medians; "
        "contestants alternate");
    rival_team team;
    const skelrt::only kind(o.kind());
    for (const kernel_work& w : kernel_works)
        if (o.only.empty() || o.only == w.name) w.race(out, o, team);
    return 0;
}

} // namespace

void check_values(const std::string& who, const std::vector<float>& found, const std::vector<float>& wanted,
                  double most)
{
    compare_values(who, found, wanted, most);
}

void check_values(const std::string& who, const std::vector<double>& found, const std::vector<double>& wanted,
                  double most)
{
    compare_values(who, found, wanted, most);
}

runner declare_kernels(apps::option_list& line)
{
    auto o = std::make_shared<kernel_options>();
    declare_race(line, *o, "cpu: against OpenMP loops (osem: alone); cuda: resident, against CUDA by hand and a copy",
                 "edge of pictures and lattices, half of that of matrices");
    line.positive("--width", o->widths, "of filters, with commas: odd numbers; default 3 to 27");
    line.positive("--events", o->events, "decays of a subset");
    line.positive("--voxels", o->voxels, "along an edge of osem's image");
    line.one_of("--only", o->only, {"convolve", "transpose_add", "lbm", "osem"});
    return [o](report& out) { return run_kernels(out, *o); };
}

} // namespace bench
