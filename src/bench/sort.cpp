#include "commands.hpp"
#include "devices.hpp"
#include "rival_team.hpp"
#include "sort_rivals.hpp"
#include "timing.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace bench
{
namespace
{

namespace sk = skelrt;

struct sort_options {
    std::string device = "cpu";
    std::size_t n = 0;
    int repeat = 9, batch = 0;
};

const auto in_order = SKELRT_FN((float a, float b) { return a < b; });

/// How skelrt is asked: with its own order, the same in one tile, or with a comparator.
enum class way { plain, one_tile, comparator };

class skelrt_entrant : public sort_entrant
{
public:
    skelrt_entrant(std::size_t n, rival_team& helpers, way how) : how_(how), x_(n, sk::uninitialized), y_(n)
    {
        if (how == way::one_tile) x_.set_tiles(1), y_.set_tiles(1);
        const auto view = sk::host_write(x_);
        float* const x = view.data();
        helpers.run([&] {
#pragma omp parallel for num_threads(helpers.threads()) schedule(static)
            for (std::size_t i = 0; i < n; ++i) x[i] = sort_value(i);
        });
    }

    void launch() override
    {
        if (how_ == way::comparator) y_ = sk::sort(x_, in_order);
        else y_ = sk::sort(x_);
    }
    void wait() override { sk::wait(y_); }
    void look(const std::function<void(const float*)>& see) override { see(sk::host_read(y_).data()); }

private:
    way how_;
    sk::vector<float> x_, y_;
};

/// Rivals run while StarPU's workers sleep, `in_team` on the pinned OpenMP threads.
struct entrant {
    std::string name;
    std::unique_ptr<sort_entrant> work;
    bool rival, in_team;

    double sample(rival_team& team, int batch) const
    {
        return sample_batch(*work, !rival ? runs_as::skelrt : in_team ? runs_as::team : runs_as::rival, team, batch);
    }

    /// In order, and the same bits in all: their sum is.
    void check(rival_team& team, std::size_t n) const
    {
        sample(team, 1);
        work->look([&](const float* y) {
            std::uint64_t got = 0, want = 0;
            for (std::size_t i = 0; i < n; ++i) {
                got += std::bit_cast<std::uint32_t>(y[i]);
                want += std::bit_cast<std::uint32_t>(sort_value(i));
                if (i > 0 && y[i] < y[i - 1])
                    throw std::runtime_error(fmt::format("sort, {}: {} behind {} at {}", name, y[i], y[i - 1], i));
            }
            if (got != want) throw std::runtime_error(fmt::format("sort, {}: elements are lost", name));
        });
    }
};

std::vector<entrant> gather(const sort_options& o, rival_team& team)
{
    std::vector<entrant> all;
    const auto ours = [&](const char* name, way how) {
        all.push_back({name, std::make_unique<skelrt_entrant>(o.n, team, how), false, false});
    };
    const auto openmp = [&](const char* name, openmp_sort how) {
        all.push_back({name, make_openmp_sort(how, o.n, team), true, true});
    };
    ours("skelrt", way::plain);
    if (o.device == "cuda") {
        if (auto cub = make_cuda_sort(o.n)) all.push_back({"CUB", std::move(cub), true, false});
        ours("skelrt, one tile", way::one_tile);
        ours("skelrt, comparator", way::comparator);
    } else {
        openmp("parallel std::sort", openmp_sort::parallel);
        openmp("parallel std::stable_sort", openmp_sort::parallel_stable);
        openmp("OpenMP tasks", openmp_sort::merge);
    }
    return all;
}

int sort(report& out, sort_options o)
{
    if (o.n == 0) o.n = std::size_t(o.device == "cuda" ? 256 : 16) << 20;
    if (o.batch == 0) o.batch = o.device == "cuda" ? 5 : 1;
    const auto rt = start_runtime(o.device);
    out.note("devices:     " + devices_text(*rt));
    out.note("floats in no order, sorted into a second array; rates are of the best time, figures of the medians; "
             "contestants alternate");
    if (o.device == "cuda")
        out.note(
            fmt::format("{0} asynchronous calls (launches), one wait, on the host's clock; data resident", o.batch));
    else
        out.note("rivals: libstdc++'s parallel mode, and merge sort in OpenMP tasks, pinned to the CPU workers' cores; "
                 "StarPU's workers sleep meanwhile; the figure is against the best one");
    rival_team team;
    const sk::only kind(o.device == "cuda" ? sk::device::cuda : sk::device::cpu);
    const auto all = gather(o, team);
    for (const entrant& e : all) e.check(team, o.n);
    out.heading(fmt::format("{} floats", o.n));
    std::vector<contestant> who;
    for (const entrant& e : all) who.push_back({e.name, [&] { return e.sample(team, o.batch); }});
    const auto times = alternate(who, 1, o.repeat);
    for (std::size_t i = 0; i < all.size(); ++i)
        out.row("sort", all[i].name, times[i], double(o.n) / times[i].best / 1e6, "M/s");
    if (o.device == "cpu")
        out.figure("cpu_sort_vs_std", times[0].median / std::min({times[1].median, times[2].median, times[3].median}));
    if (o.device == "cuda" && all[1].rival) out.figure("gpu_sort_vs_cub", times[1].median / times[0].median);
    return 0;
}

} // namespace

runner declare_sort(CLI::App& app)
{
    auto o = std::make_shared<sort_options>();
    app.add_option("--device", o->device, "cpu: against parallel standard algorithms; cuda: resident, against CUB")
        ->check(CLI::IsMember({"cpu", "cuda"}))
        ->capture_default_str();
    app.add_option("--n", o->n, "elements; default 16 Mi, on cuda 256 Mi");
    app.add_option("--repeat", o->repeat, "rounds")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--batch", o->batch, "calls per wait; default 1, on cuda 5")->check(CLI::PositiveNumber);
    return [o](report& out) { return sort(out, *o); };
}

} // namespace bench
