// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/race/race.hpp"
#include "src/bench/streams/onepass_rivals.hpp"

#include <fmt/core.h>
#include <skelrt/skelrt.hpp>

#include <cstdlib>
#include <stdexcept>

namespace bench
{
namespace
{

namespace sk = skelrt;

struct out_of_core_options {
    std::size_t n = std::size_t{256} << 20;
    int repeat = 5, warm_up = 1;
};

const auto decay = sk::map(SKELRT_FN((float x, float y) { return y * 0.999f + x; }));

/// StarPU reads the limit when it starts.
void limit_gpu_memory(std::size_t bytes) { setenv("STARPU_LIMIT_CUDA_MEM", std::to_string(bytes >> 20).c_str(), 1); }

int out_of_core(report& out, const out_of_core_options& o)
{
    const std::size_t bytes = 2 * o.n * sizeof(float);
    limit_gpu_memory(bytes / 4);
    const auto rt = start_runtime("hybrid");
    out.note("devices:     " + devices_text(*rt));
    if (!has_cuda(*rt)) throw std::runtime_error("no CUDA device is in use");
    rival_team helpers;
    sk::vector<float> x(o.n, sk::uninitialized), y(o.n, sk::uninitialized);
    fill(x, helpers, [](std::size_t) { return 1.0f; });
    fill(y, helpers, [](std::size_t) { return 2.0f; });
    const auto pass = [&] {
        static_cast<void>(sk::host(x)), static_cast<void>(sk::host(y));
        const sk::only gpu(sk::device::cuda);
        const double start = now();
        y = decay(x, y);
        keep(sk::host_read(y)[0]);
        return now() - start;
    };
    const auto by_hand = make_onepass_cuda(o.n);
    const auto times = alternate({{"skelrt", pass},
                                  {"copies by hand",
                                   [&] {
                                       const paused_starpu quiet;
                                       return by_hand->pass(1);
                                   }}},
                                 o.warm_up, o.repeat);
    out.heading(fmt::format("{} MiB through {} MiB of the GPU's memory", bytes >> 20, bytes >> 22));
    out.row("pass", "skelrt", times[0], 1.5 * static_cast<double>(bytes) / times[0].median / 1e9, "GB/s");
    out.row("pass", "CUDA by hand", times[1], 1.5 * static_cast<double>(bytes) / times[1].median / 1e9, "GB/s");
    out.figure("out_of_core", times[1].median / times[0].median);
    return 0;
}

} // namespace

runner declare_out_of_core(apps::option_list& line)
{
    auto o = std::make_shared<out_of_core_options>();
    line.positive("--n", o->n, "elements of each of two vectors");
    line.positive("--repeat", o->repeat, "rounds");
    return [o](report& out) { return out_of_core(out, *o); };
}

} // namespace bench
