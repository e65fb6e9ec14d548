// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/kernels/kernels.hpp"

#include "apps/lbm/kernel.hpp"
#include "src/bench/skeletons/scan_rivals.hpp"

#include <fmt/core.h>

namespace bench
{
namespace
{

lbm::flow flow_in(std::size_t n)
{
    const channel c = channel_of(n);
    const auto edge = static_cast<int>(n);
    return {edge, edge, c.x, c.y, c.radius, c.speed, c.rate};
}

class own_lattice : public kernel_entrant<float>
{
public:
    explicit own_lattice(std::size_t n) : flow_(flow_in(n)), start_(lbm::wind(flow_)), end_(start_) {}
    void launch() override { lbm::advance(end_, start_, lattice_steps, flow_); }
    void wait() override { skelrt::wait(end_); }
    std::vector<float> result() override
    {
        const auto end = skelrt::host_read(end_);
        const std::size_t cells = end_.size();
        std::vector<float> planes(directions * cells);
        for (std::size_t i = 0; i < cells; ++i)
            for (std::size_t k = 0; k < directions; ++k) planes[k * cells + i] = end.data()[i].f[k];
        return planes;
    }

private:
    lbm::flow flow_;
    lbm::lattice start_, end_;
};

/// As many bytes as the steps move at least, by copies on the device.
class lattice_copies : public kernel_entrant<float>
{
public:
    explicit lattice_copies(std::unique_ptr<scan_entrant> copy) : copy_(std::move(copy)) {}
    void launch() override
    {
        for (int k = 0; k < lattice_steps; ++k) copy_->launch();
    }
    void wait() override { copy_->wait(); }
    std::vector<float> result() override { return {}; }

private:
    std::unique_ptr<scan_entrant> copy_;
};

} // namespace

void race_lattice(report& out, const kernel_options& o, rival_team& team)
{
    constexpr double tolerance = 1e-4 / 9; // as application lbm has it
    const std::size_t cells = o.n * o.n;
    std::vector<entrant<kernel_entrant<float>>> all;
    all.push_back({"skelrt", std::make_unique<own_lattice>(o.n)});
    entrant<kernel_entrant<float>> loops{"OpenMP", make_openmp_lattice(o.n, team), runs_as::team};
    const std::vector<float> wanted = result_of(*loops.work);
    check("lbm", all, wanted, tolerance);
    auto copy = o.on_gpu() ? make_cuda_scan(cuda_scan::copy, directions * cells) : nullptr;
    if (!o.on_gpu()) all.push_back(std::move(loops));
    else if (copy) all.push_back({"copies", std::make_unique<lattice_copies>(std::move(copy)), runs_as::rival});
    out.heading(fmt::format("lbm, {0} x {0} cells, {1} steps", o.n, lattice_steps));
    const double bytes = 2.0 * lattice_steps * static_cast<double>(cells) * sizeof(lbm::cell);
    const auto times = race(out, "lbm", all, team, o, bytes);
    const bool copied = all.size() > 1 && o.on_gpu();
    if (all.size() > 1)
        out.figure(copied ? "lbm_gpu_of_copy" : "cpu_lbm_vs_openmp",
                   copied ? times[1].median / times[0].median : times[0].median / times[1].median);
    if (copied) all.pop_back(); // copies make no lattice
    check("lbm", all, wanted, tolerance);
}

} // namespace bench
