#include "commands.hpp"
#include "compact_rivals.hpp"
#include "devices.hpp"
#include "rival_team.hpp"
#include "timing.hpp"

#include <CLI/CLI.hpp>
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

struct compact_options {
    std::string device = "cpu";
    std::size_t n = 0, bins = 256;
    int repeat = 15, batch = 0;
};

sk::vector<float> make_values(std::size_t n, rival_team& helpers)
{
    sk::vector<float> values(n, sk::uninitialized);
    const auto view = sk::host_write(values);
    float* const x = view.data();
    helpers.run([&] {
#pragma omp parallel for num_threads(helpers.threads()) schedule(static)
        for (std::size_t i = 0; i < n; ++i) x[i] = compact_value(i);
    });
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

/// Rivals run while StarPU's workers sleep, `in_team` on the pinned OpenMP threads.
struct entrant {
    std::string name;
    std::unique_ptr<compact_entrant> work;
    bool rival, in_team;

    double sample(rival_team& team, int batch) const
    {
        return sample_batch(*work, !rival ? runs_as::skelrt : in_team ? runs_as::team : runs_as::rival, team, batch);
    }

    /// `wanted`: the bytes of the result.
    void check(const std::vector<std::byte>& wanted, std::size_t size) const
    {
        work->launch();
        work->wait();
        work->look([&](const void* data, std::size_t n) {
            if (n * size != wanted.size() || std::memcmp(data, wanted.data(), wanted.size()) != 0)
                throw std::runtime_error(
                    fmt::format("{}: wrong result ({} values, {} expected)", name, n, wanted.size() / size));
        });
    }
};

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

std::vector<entrant> gather(compact_task what, const compact_options& o, rival_team& team)
{
    std::vector<entrant> all;
    std::unique_ptr<compact_entrant> own;
    if (what == compact_task::filter) own = std::make_unique<skelrt_filter>(o.n, team);
    else own = std::make_unique<skelrt_histogram>(o.n, o.bins, team);
    all.push_back({"skelrt", std::move(own), false, false});
    if (o.device == "cuda") {
        if (auto cub = make_cuda_compact(what, o.n, o.bins)) all.push_back({"CUB", std::move(cub), true, false});
    } else {
        all.push_back({"OpenMP", make_openmp_compact(what, o.n, o.bins, team), true, true});
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
    for (const entrant& e : all) e.check(wanted, size);
    out.heading(filters ? fmt::format("{} floats, of which {} are kept", o.n, wanted.size() / size)
                        : fmt::format("{} floats in {} bins", o.n, o.bins));
    std::vector<contestant> who;
    for (const entrant& e : all) who.push_back({e.name, [&] { return e.sample(team, o.batch); }});
    const auto times = alternate(who, 2, o.repeat);
    const double bytes = double(o.n) * sizeof(float) + (filters ? double(wanted.size()) : 0.0);
    for (std::size_t i = 0; i < all.size(); ++i)
        out.row(name, all[i].name, times[i], bytes / times[i].best / 1e9, "GB/s");
    for (const entrant& e : all) e.check(wanted, size);
    if (all.size() < 2) return;
    if (o.device == "cpu") out.figure("cpu_" + name + "_vs_openmp", times[0].median / times[1].median);
    else out.figure("gpu_" + name + "_vs_cub", times[1].median / times[0].median);
}

int compact(report& out, compact_options o)
{
    if (o.n == 0) o.n = std::size_t(o.device == "cuda" ? 256 : 64) << 20;
    if (o.batch == 0) o.batch = o.device == "cuda" ? 20 : 1;
    const auto rt = start_runtime(o.device);
    out.note("devices:     " + devices_text(*rt));
    out.note(
        "filter: a random half of the floats, into a container of their number, which the host has to know each "
        "time; histogram: floats without order in equal bins; bytes: each element read once, results of the filter "
        "written once; rates are of the best time, figures of the medians; contestants alternate");
    if (o.device == "cuda")
        out.note(fmt::format("{} calls (launches), one wait, on the host's clock; data resident", o.batch));
    else
        out.note("rivals: a contiguous part for each thread, pinned to the CPU workers' cores; StarPU's workers sleep "
                 "meanwhile");
    rival_team team;
    const sk::only kind(o.device == "cuda" ? sk::device::cuda : sk::device::cpu);
    for (const compact_task what : {compact_task::filter, compact_task::histogram}) run_task(out, what, o, team);
    return 0;
}

} // namespace

runner declare_compact(CLI::App& app)
{
    auto o = std::make_shared<compact_options>();
    app.add_option("--device", o->device, "cpu: against OpenMP loops; cuda: resident, against CUB")
        ->check(CLI::IsMember({"cpu", "cuda"}))
        ->capture_default_str();
    app.add_option("--n", o->n, "elements; default 64 Mi, on cuda 256 Mi");
    app.add_option("--bins", o->bins, "bins of the histogram")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--repeat", o->repeat, "rounds")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--batch", o->batch, "calls per wait; default 1, on cuda 20")->check(CLI::PositiveNumber);
    return [o](report& out) { return compact(out, *o); };
}

} // namespace bench
