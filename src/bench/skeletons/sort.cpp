// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/race/race.hpp"
#include "src/bench/skeletons/sort_rivals.hpp"

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

const auto in_order = SKELRT_FN((float a, float b) { return a < b; });

/// How skelrt is asked: with its own order, the same in one tile, or with a comparator.
enum class way { plain, one_tile, comparator };

class skelrt_entrant : public sort_entrant
{
public:
    skelrt_entrant(std::size_t n, rival_team& helpers, way how) : how_(how), x_(n, sk::uninitialized), y_(n)
    {
        if (how == way::one_tile) x_.set_tiles(1), y_.set_tiles(1);
        fill(x_, helpers, sort_value);
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

using sorter = entrant<sort_entrant>;

/// In order, and the same bits in all: their sum is.
void check(const sorter& e, rival_team& team, std::size_t n)
{
    sample_batch(*e.work, e.who, team, 1);
    e.work->look([&](const float* y) {
        std::uint64_t got = 0, want = 0;
        for (std::size_t i = 0; i < n; ++i) {
            got += std::bit_cast<std::uint32_t>(y[i]);
            want += std::bit_cast<std::uint32_t>(sort_value(i));
            if (i > 0 && y[i] < y[i - 1])
                throw std::runtime_error(fmt::format("sort, {}: {} behind {} at {}", e.name, y[i], y[i - 1], i));
        }
        if (got != want) throw std::runtime_error(fmt::format("sort, {}: elements are lost", e.name));
    });
}

std::vector<sorter> gather(const race_options& o, rival_team& team)
{
    std::vector<sorter> all;
    const auto ours = [&](const char* name, way how) {
        all.push_back({name, std::make_unique<skelrt_entrant>(o.n, team, how)});
    };
    const auto openmp = [&](const char* name, openmp_sort how) {
        all.push_back({name, make_openmp_sort(how, o.n, team), runs_as::team});
    };
    ours("skelrt", way::plain);
    if (o.on_gpu()) {
        if (auto cub = make_cuda_sort(o.n)) all.push_back({"CUB", std::move(cub), runs_as::rival});
        ours("skelrt, one tile", way::one_tile);
        ours("skelrt, comparator", way::comparator);
    } else {
        openmp("parallel std::sort", openmp_sort::parallel);
        openmp("parallel std::stable_sort", openmp_sort::parallel_stable);
        openmp("OpenMP tasks", openmp_sort::merge);
    }
    return all;
}

int sort(report& out, race_options o)
{
    complete_race(o);
    const auto rt = start_runtime(o.device);
    out.note("devices:     " + devices_text(*rt));
    out.note("floats in no order, sorted into a second array; rates are of the best time, figures of the medians; "
             "contestants alternate");
    if (o.on_gpu())
        out.note(
            fmt::format("{0} asynchronous calls (launches), one wait, on the host's clock; data resident", o.batch));
    else
        out.note("rivals: libstdc++'s parallel mode, and merge sort in OpenMP tasks, pinned to the CPU workers' cores; "
                 "StarPU's workers sleep meanwhile; the figure is against the best one");
    rival_team team;
    const sk::only kind(o.kind());
    const auto all = gather(o, team);
    for (const sorter& e : all) check(e, team, o.n);
    out.heading(fmt::format("{} floats", o.n));
    const auto times = race(all, team, o, 1);
    for (std::size_t i = 0; i < all.size(); ++i)
        out.row("sort", all[i].name, times[i], double(o.n) / times[i].best / 1e6, "M/s");
    if (!o.on_gpu())
        out.figure("cpu_sort_vs_std", times[0].median / std::min({times[1].median, times[2].median, times[3].median}));
    else if (all[1].who == runs_as::rival) out.figure("gpu_sort_vs_cub", times[1].median / times[0].median);
    return 0;
}

} // namespace

runner declare_sort(apps::option_list& line)
{
    auto o = std::make_shared<race_options>(race_options{std::size_t{16} << 20, std::size_t{256} << 20, 9, 5});
    declare_race(line, *o, "cpu: against parallel standard algorithms; cuda: resident, against CUB", "elements");
    return [o](report& out) { return sort(out, *o); };
}

} // namespace bench
