// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/race/race.hpp"

#include <fmt/format.h>
#include <skelrt/skelrt.hpp>
#include <starpu.h>

#include <algorithm>
#include <stdexcept>

/// Data that goes from one GPU to another: how much, how often, how fast.
namespace bench
{
namespace
{

namespace sk = skelrt;

struct options {
    std::size_t n = std::size_t{64} << 20;
    int repeat = 9;
};

struct traffic {
    std::size_t copies = 0;
    double bytes = 0;
};

bool is_gpu(unsigned node) { return starpu_node_get_kind(node) == STARPU_CUDA_RAM; }

/// Since it was asked last: from the memory of a GPU to that of another, or between GPUs and the host.
traffic traffic_since(bool between_gpus)
{
    traffic all;
    for (int bus = 0; bus < starpu_bus_get_count(); ++bus) {
        const bool from = is_gpu(static_cast<unsigned>(starpu_bus_get_src(bus))),
                   to = is_gpu(static_cast<unsigned>(starpu_bus_get_dst(bus)));
        if ((from && to) != between_gpus) continue;
        starpu_profiling_bus_info info{};
        if (starpu_bus_get_profiling_info(bus, &info) != 0) continue; // counts from 0 again afterwards
        all.copies += static_cast<std::size_t>(info.transfer_count);
        all.bytes += static_cast<double>(info.transferred_bytes);
    }
    return all;
}

const auto next = sk::map(SKELRT_FN((float x) { return x + 1.0f; }));

/// Elements that some GPU has, and no other memory.
class wanderer
{
public:
    explicit wanderer(std::size_t n) : x_(n, 0.0f) { seconds_on(0); }

    /// A pass over them on the GPU that has them.
    double stays() { return seconds_on(here_); }
    /// The same on the other one: they go there.
    double moves()
    {
        ++moves_;
        return seconds_on(1 - here_);
    }

    std::size_t moves_so_far() const { return moves_; }
    void forget_moves() { moves_ = 0; }
    /// Every pass adds 1.
    void check() const
    {
        const auto view = sk::host_read(x_);
        const auto wrong = std::ranges::find_if(view, [&](float v) { return v != static_cast<float>(passes_); });
        if (wrong != view.end()) throw std::runtime_error(fmt::format("peers: {} after {} passes", *wrong, passes_));
    }

private:
    double seconds_on(int gpu)
    {
        const sk::follow there(sk::plan({{sk::device::cuda, 1, gpu, 1}}));
        const double start = now();
        x_ = next(x_);
        sk::wait(x_);
        here_ = gpu;
        ++passes_;
        return now() - start;
    }

    sk::vector<float> x_;
    int here_ = 0;
    std::size_t passes_ = 0, moves_ = 0;
};

int peers(report& out, const options& o)
{
    const auto rt = start_runtime("hybrid");
    out.note("devices:     " + devices_text(*rt));
    if (const int gpus = count_cuda(*rt); gpus < 2) {
        out.note(fmt::format("skipped: copies from GPU to GPU need two CUDA devices; {} here", gpus));
        return 0;
    }
    starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
    wanderer x(o.n);
    for (int i = 0; i < 4; ++i) x.stays(), x.moves(); // kernels, memory, and access to the peer
    static_cast<void>(traffic_since(true)), static_cast<void>(traffic_since(false));
    x.forget_moves();
    const auto times =
        alternate({{"stays", [&] { return x.stays(); }}, {"moves", [&] { return x.moves(); }}}, 1, o.repeat);
    const traffic direct = traffic_since(true), by_host = traffic_since(false);
    const double bytes = static_cast<double>(o.n * sizeof(float)), way = times[1].median - times[0].median;
    out.heading(fmt::format("{} floats: a pass over them on the GPU that has them, and on the other one", o.n));
    out.row("pass", "stays", times[0]);
    out.row("pass", "moves", times[1]);
    out.note(fmt::format("{} moves of {:.0f} MB: {} copies of {:.0f} MB from GPU to GPU, {} copies of {:.0f} MB by way "
                         "of the host",
                         x.moves_so_far(), bytes / 1e6, direct.copies, direct.bytes / 1e6, by_host.copies,
                         by_host.bytes / 1e6));
    x.check();
    if (way <= 0) out.warn("a pass with a copy took no longer than one without: no rate");
    else out.figure("gpu_to_gpu_gb_s", bytes / way / 1e9);
    out.figure("gpu_to_gpu_copies", static_cast<double>(direct.copies));
    out.figure("gpu_to_gpu_of_moved", direct.bytes / (bytes * static_cast<double>(x.moves_so_far())));
    return 0;
}

} // namespace

runner declare_peers(apps::option_list& line)
{
    auto o = std::make_shared<options>();
    line.positive("--n", o->n, "floats");
    line.positive("--repeat", o->repeat, "rounds");
    return [o](report& out) { return peers(out, *o); };
}

} // namespace bench
