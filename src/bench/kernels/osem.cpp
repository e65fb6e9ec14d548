// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/kernels/kernels.hpp"

#include "apps/osem/kernel.hpp"
#include "apps/osem/reference.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>

namespace bench
{
namespace
{

constexpr std::size_t osem_subsets = 4;
constexpr double osem_tolerance = 5e-3; // of the brightest voxel, as application osem has it

struct decays {
    osem::events seen, calibration;
    int size;

    decays(std::size_t events, int edge)
        : seen(osem::phantom(osem_subsets * events, edge)), calibration(osem::flood(osem_subsets * events, edge)),
          size(edge)
    {
    }
    tomography plain() const { return {listed(seen), listed(calibration), size, osem_subsets}; }

private:
    static std::vector<seen_decay> listed(const osem::events& all)
    {
        const auto here = skelrt::host_read(all);
        std::vector<seen_decay> list(all.size());
        std::ranges::transform(here, list.begin(), [](const osem::event& e) { return std::bit_cast<seen_decay>(e); });
        return list;
    }
};

class own_osem : public kernel_entrant<float>
{
public:
    explicit own_osem(const decays& d) : work_(d.seen, d.calibration, d.size, osem_subsets) {}
    void launch() override { work_.run(1); }
    void wait() override { skelrt::wait(work_.result()); }
    std::vector<float> result() override
    {
        const auto image = skelrt::host_read(work_.result());
        return {image.begin(), image.end()};
    }

private:
    osem::reconstruction work_;
};

std::vector<entrant<kernel_entrant<float>>> reconstructors(const decays& d, const kernel_options& o)
{
    std::vector<entrant<kernel_entrant<float>>> all;
    all.push_back({"skelrt", std::make_unique<own_osem>(d)});
    if (!o.on_gpu()) return all;
    if (auto rival = make_cuda_osem(d.plain())) all.push_back({"by hand", std::move(rival), runs_as::rival});
    return all;
}

double most_off(const std::vector<float>& image)
{
    return osem_tolerance * static_cast<double>(std::ranges::max(image));
}

/// Few decays in a small image against plain loops in double precision, which would take minutes for all.
void check_small(const kernel_options& o)
{
    constexpr std::size_t few = 5000;
    constexpr int small = 16;
    const decays d(few, small);
    const std::vector<double> right = osem::plain_reconstruction(d.calibration, small).run(d.seen, osem_subsets, 1);
    const std::vector<float> wanted(right.begin(), right.end());
    check("osem, small", reconstructors(d, o), wanted, most_off(wanted));
}

} // namespace

void race_osem(report& out, const kernel_options& o, rival_team& team)
{
    check_small(o);
    const decays d(o.events, o.voxels);
    const auto all = reconstructors(d, o);
    const std::vector<float> wanted = result_of(*all.front().work);
    check("osem", all, wanted, most_off(wanted));
    out.heading(fmt::format("osem, {0}^3 voxels, {1} events in each of {2} subsets", o.voxels, o.events, osem_subsets));
    const double thousands = 1e3 * static_cast<double>(osem_subsets * o.events); // the rate is told in 10^9
    const auto times = race(out, "osem", all, team, o, thousands, "Mevents/s");
    check("osem", all, wanted, most_off(wanted));
    if (all.size() > 1) out.figure("osem_gpu_vs_hand", times[0].median / times[1].median);
}

} // namespace bench
