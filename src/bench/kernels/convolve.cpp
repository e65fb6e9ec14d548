// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/kernels/kernels.hpp"

#include "apps/convolve/kernel.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace bench
{
namespace
{

class own_convolution : public kernel_entrant<float>
{
public:
    own_convolution(std::size_t n, int width)
        : width_(width), from_(n, n), to_(n, n),
          weights_(static_cast<std::size_t>(width), static_cast<std::size_t>(width))
    {
        const auto from = skelrt::host_write(from_), weights = skelrt::host_write(weights_);
        for (std::size_t i = 0; i < from_.size(); ++i) from.data()[i] = pixel_value(i);
        for (std::size_t i = 0; i < weights_.size(); ++i) weights.data()[i] = weight_value(i);
    }
    void launch() override { convolve::filter(to_, from_, weights_, width_); }
    void wait() override { skelrt::wait(to_); }
    std::vector<float> result() override
    {
        const auto to = skelrt::host_read(to_);
        return {to.data(), to.data() + to_.size()};
    }

private:
    int width_;
    convolve::picture from_, to_, weights_;
};

/// The median time over the rival's; 0: there is none.
double race_filter(report& out, const kernel_options& o, rival_team& team, int width)
{
    std::vector<entrant<kernel_entrant<float>>> all;
    all.push_back({"skelrt", std::make_unique<own_convolution>(o.n, width)});
    entrant<kernel_entrant<float>> loops{"OpenMP", make_openmp_convolution(o.n, width, team), runs_as::team};
    const std::vector<float> wanted = result_of(*loops.work);
    if (!o.on_gpu()) all.push_back(std::move(loops));
    else if (auto rival = make_cuda_convolution(o.n, width))
        all.push_back({"by hand", std::move(rival), runs_as::rival});
    const std::string what = fmt::format("convolve, {0} x {0}", width);
    check(what, all, wanted);
    const double flops = 2.0 * static_cast<double>(o.n * o.n) * width * width;
    const auto times = race(out, what, all, team, o, flops, "GFLOP/s");
    check(what, all, wanted);
    return all.size() < 2 ? 0 : times[0].median / times[1].median;
}

} // namespace

void race_convolution(report& out, const kernel_options& o, rival_team& team)
{
    out.heading(fmt::format("convolve, {0} x {0} floats", o.n));
    double worst = 0;
    for (const int width : o.widths) worst = std::max(worst, race_filter(out, o, team, width));
    if (worst > 0) out.figure(o.on_gpu() ? "gpu_convolve_vs_hand" : "cpu_convolve_vs_openmp", worst);
}

} // namespace bench
