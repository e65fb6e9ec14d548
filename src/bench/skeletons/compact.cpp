// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/race/race.hpp"
#include "src/bench/skeletons/compact_rivals.hpp"

#include <fmt/core.h>
#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace bench
{
namespace
{

namespace sk = skelrt;

struct compact_options : race_options {
    std::size_t bins = 256;
};

sk::vector<float> make_values(std::size_t n, rival_team& helpers)
{
    sk::vector<float> values(n, sk::uninitialized);
    fill(values, helpers, compact_value);
    return values;
}

class skelrt_filter : public compact_entrant
{
public:
    skelrt_filter(std::size_t n, rival_team& helpers) : x_(make_values(n, helpers)) {}
    void launch() override
    {
        y_ = sk::filter(SKELRT_FN((float v) { return v < 0.5f; }))(x_);
    }
    void wait() override { sk::wait(y_); }
    void look(const std::function<void(const void*, std::size_t)>& see) override
    {
        const auto y = sk::host_read(y_);
        see(y.data(), y.size());
    }

private:
    sk::vector<float> x_, y_;
};

class skelrt_histogram : public compact_entrant
{
public:
    skelrt_histogram(std::size_t n, std::size_t bins, rival_team& helpers) : x_(make_values(n, helpers)), bins_(bins) {}
    void launch() override { counts_ = sk::histogram(x_, bins_, 0.0f, 1.0f); }
    void wait() override { sk::wait(counts_); }
    void look(const std::function<void(const void*, std::size_t)>& see) override
    {
        const auto counts = sk::host_read(counts_);
        see(counts.data(), counts.size());
    }

private:
    sk::vector<float> x_;
    sk::vector<unsigned> counts_;
    std::size_t bins_;
};

using compacter = entrant<compact_entrant>;

/// `wanted`: the bytes of the result.
void check(const compacter& e, const std::vector<std::byte>& wanted, std::size_t size)
{
    e.work->launch();
    e.work->wait();
    e.work->look([&](const void* data, std::size_t n) {
        if (n * size != wanted.size() || std::memcmp(data, wanted.data(), wanted.size()) != 0)
            throw std::runtime_error(
                fmt::format("{}: wrong result ({} values, {} expected)", e.name, n, wanted.size() / size));
    });
}

template <class T>
std::vector<std::byte> bytes_of(const std::vector<T>& values)
{
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

std::vector<std::byte> expected(compact_task what, const compact_options& o)
{
    if (what == compact_task::filter) {
        std::vector<float> kept;
        for (std::size_t i = 0; i < o.n; ++i)
            if (compact_keeps(compact_value(i))) kept.push_back(compact_value(i));
        return bytes_of(kept);
    }
    std::vector<unsigned> counts(o.bins);
    for (std::size_t i = 0; i < o.n; ++i)
        ++counts[std::min(static_cast<std::size_t>(compact_value(i) * static_cast<float>(o.bins)), o.bins - 1)];
    return bytes_of(counts);
}

std::vector<compacter> gather(compact_task what, const compact_options& o, rival_team& team)
{
    std::vector<compacter> all;
    std::unique_ptr<compact_entrant> own;
    if (what == compact_task::filter) own = std::make_unique<skelrt_filter>(o.n, team);
    else own = std::make_unique<skelrt_histogram>(o.n, o.bins, team);
    all.push_back({"skelrt", std::move(own)});
    if (o.on_gpu()) {
        if (auto cub = make_cuda_compact(what, o.n, o.bins)) all.push_back({"CUB", std::move(cub), runs_as::rival});
    } else {
        all.push_back({"OpenMP", make_openmp_compact(what, o.n, o.bins, team), runs_as::team});
    }
    return all;
}

void run_task(report& out, compact_task what, const compact_options& o, rival_team& team)
{
    const bool filters = what == compact_task::filter;
    const std::string name = filters ? "filter" : "histogram";
    const auto wanted = expected(what, o);
    const std::size_t size = filters ? sizeof(float) : sizeof(unsigned);
    const auto all = gather(what, o, team);
    for (const compacter& e : all) check(e, wanted, size);
    out.heading(filters ? fmt::format("{} floats, of which {} are kept", o.n, wanted.size() / size)
                        : fmt::format("{} floats in {} bins", o.n, o.bins));
    const auto times = race(all, team, o, 2);
    const double bytes = double(o.n) * sizeof(float) + (filters ? double(wanted.size()) : 0.0);
    for (std::size_t i = 0; i < all.size(); ++i)
        out.row(name, all[i].name, times[i], bytes / times[i].best / 1e9, "GB/s");
    for (const compacter& e : all) check(e, wanted, size);
    if (all.size() < 2) return;
    if (!o.on_gpu()) out.figure("cpu_" + name + "_vs_openmp", times[0].median / times[1].median);
    else out.figure("gpu_" + name + "_vs_cub", times[1].median / times[0].median);
}

int compact(report& out, compact_options o)
{
    complete_race(o);
    const auto rt = start_runtime(o.device);
    out.note("devices:     " + devices_text(*rt));
    out.note(
        "filter: a random half of the floats, into a container of their number, which the host has to know each "
        "time; histogram: floats without order in equal bins; bytes: each element read once, results of the filter "
        "written once; rates are of the best time, figures of the medians; contestants alternate");
    if (o.on_gpu()) out.note(fmt::format("{} calls (launches), one wait, on the host's clock; data resident", o.batch));
    else
        out.note("rivals: a contiguous part for each thread, pinned to the CPU workers' cores; StarPU's workers sleep "
                 "meanwhile");
    rival_team team;
    const sk::only kind(o.kind());
    for (const compact_task what : {compact_task::filter, compact_task::histogram}) run_task(out, what, o, team);
    return 0;
}

} // namespace

runner declare_compact(apps::option_list& line)
{
    auto o =
        std::make_shared<compact_options>(compact_options{{std::size_t{64} << 20, std::size_t{256} << 20, 15, 20}});
    declare_race(line, *o, "cpu: against OpenMP loops; cuda: resident, against CUB", "elements");
    line.positive("--bins", o->bins, "bins of the histogram");
    return [o](report& out) { return compact(out, *o); };
}

} // namespace bench
