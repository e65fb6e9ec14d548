#include "commands.hpp"
#include "devices.hpp"
#include "rival_team.hpp"
#include "scan_rivals.hpp"
#include "timing.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <stdexcept>

namespace bench
{
namespace
{

namespace sk = skelrt;

struct scan_options {
    std::string device = "cpu";
    std::size_t n = 0;
    int repeat = 15, batch = 0;
};

class skelrt_entrant : public scan_entrant
{
public:
    skelrt_entrant(std::size_t n, rival_team& helpers) : x_(n, sk::uninitialized), y_(n, -1e9f)
    {
        const auto view = sk::host_write(x_);
        float* const x = view.data();
        helpers.run([&] {
#pragma omp parallel for num_threads(helpers.threads()) schedule(static)
            for (std::size_t i = 0; i < n; ++i) x[i] = scan_value(i);
        });
    }

    void launch() override { y_ = sums_(x_); }
    void wait() override { sk::wait(y_); }
    void look(const std::function<void(const float*)>& see) override { see(sk::host_read(y_).data()); }

private:
    sk::vector<float> x_, y_;
    sk::scan<decltype(sk::plus)::lambda, void*> sums_{sk::plus};
};

/// Rivals run while StarPU's workers sleep, `in_team` on the pinned OpenMP threads.
struct entrant {
    std::string name;
    std::unique_ptr<scan_entrant> work;
    bool rival, in_team, scans;

    double sample(rival_team& team, int batch) const
    {
        return sample_batch(*work, !rival ? runs_as::skelrt : in_team ? runs_as::team : runs_as::rival, team, batch);
    }

    void check(std::size_t n) const
    {
        if (!scans) return;
        work->launch();
        work->wait();
        work->look([&](const float* y) {
            float sum = 0;
            for (std::size_t i = 0; i < n; ++i) {
                sum += scan_value(i);
                if (y[i] != sum)
                    throw std::runtime_error(fmt::format("scan, {}: y[{}] is {} instead of {}", name, i, y[i], sum));
            }
        });
    }
};

std::vector<entrant> gather(const scan_options& o, rival_team& team)
{
    std::vector<entrant> all;
    all.push_back({"skelrt", std::make_unique<skelrt_entrant>(o.n, team), false, false, true});
    if (o.device == "cuda") {
        if (auto cub = make_cuda_scan(cuda_scan::cub, o.n)) all.push_back({"CUB", std::move(cub), true, false, true});
        if (auto copy = make_cuda_scan(cuda_scan::copy, o.n))
            all.push_back({"cudaMemcpyAsync", std::move(copy), true, false, false});
    } else {
        all.push_back({"OpenMP", make_openmp_scan(openmp_scan::plain, o.n, team), true, true, true});
        all.push_back({"OpenMP, inscan", make_openmp_scan(openmp_scan::inscan, o.n, team), true, true, true});
    }
    return all;
}

int scan(report& out, scan_options o)
{
    if (o.n == 0) o.n = std::size_t(o.device == "cuda" ? 256 : 64) << 20;
    if (o.batch == 0) o.batch = o.device == "cuda" ? 20 : 1;
    const auto rt = start_runtime(o.device);
    out.note("devices:     " + devices_text(*rt));
    out.note(
        "inclusive sums of floats into a second array; bytes: each element read once and written once; rates are of "
        "the best time, figures of the medians; contestants alternate");
    if (o.device == "cuda")
        out.note(
            fmt::format("{0} asynchronous calls (launches), one wait, on the host's clock; data resident", o.batch));
    else
        out.note("rivals: two passes, a contiguous part for each thread, pinned to the CPU workers' cores; StarPU's "
                 "workers sleep meanwhile; the figure is against the better one");
    rival_team team;
    const sk::only kind(o.device == "cuda" ? sk::device::cuda : sk::device::cpu);
    const auto all = gather(o, team);
    for (const entrant& e : all) e.check(o.n);
    out.heading(fmt::format("{} floats", o.n));
    std::vector<contestant> who;
    for (const entrant& e : all) who.push_back({e.name, [&] { return e.sample(team, o.batch); }});
    const auto times = alternate(who, 2, o.repeat);
    for (std::size_t i = 0; i < all.size(); ++i)
        out.row("scan", all[i].name, times[i], 2.0 * double(o.n) * sizeof(float) / times[i].best / 1e9, "GB/s");
    for (const entrant& e : all) e.check(o.n);
    if (o.device == "cpu")
        out.figure("cpu_scan_vs_openmp", times[0].median / std::min(times[1].median, times[2].median));
    if (o.device == "cuda" && all.size() > 1) out.figure("gpu_scan_vs_cub", times[1].median / times[0].median);
    return 0;
}

} // namespace

runner declare_scan(CLI::App& app)
{
    auto o = std::make_shared<scan_options>();
    app.add_option("--device", o->device, "cpu: against OpenMP loops; cuda: resident, against CUB")
        ->check(CLI::IsMember({"cpu", "cuda"}))
        ->capture_default_str();
    app.add_option("--n", o->n, "elements; default 64 Mi, on cuda 256 Mi");
    app.add_option("--repeat", o->repeat, "rounds")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--batch", o->batch, "calls per wait; default 1, on cuda 20")->check(CLI::PositiveNumber);
    return [o](report& out) { return scan(out, *o); };
}

} // namespace bench
