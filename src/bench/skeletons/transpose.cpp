// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/race/race.hpp"
#include "src/bench/skeletons/transpose_rivals.hpp"

#include <fmt/core.h>
#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <stdexcept>

namespace bench
{
namespace
{

namespace sk = skelrt;

template <class T>
class skelrt_transpose : public transpose_entrant
{
public:
    skelrt_transpose(std::size_t n, bool transposed) : from_(n, n), to_(n, n), transposed_(transposed)
    {
        const auto from = sk::host_write(from_);
        for (std::size_t i = 0; i < n * n; ++i) from.data()[i] = static_cast<T>(transpose_value(i));
    }
    void launch() override
    {
        if (transposed_) to_ = sk::transpose(from_);
        else to_ = same_(from_);
    }
    void wait() override { sk::wait(to_); }
    void look(const std::function<void(const std::function<double(std::size_t)>&)>& see) override
    {
        const auto to = sk::host_read(to_);
        see([&](std::size_t i) { return static_cast<double>(to.data()[i]); });
    }

private:
    sk::matrix<T> from_, to_;
    bool transposed_;
    static inline const auto same_ = sk::map(SKELRT_FN((T x) { return x; }));
};

struct transposer : entrant<transpose_entrant> {
    bool transposes = true;

    void check(std::size_t n) const
    {
        if (!transposes) return;
        work->launch();
        work->wait();
        work->look([&](const std::function<double(std::size_t)>& at) {
            for (std::size_t i = 0; i < n * n; ++i)
                if (at(i) != static_cast<double>(transpose_value(i % n * n + i / n)))
                    throw std::runtime_error(fmt::format("transpose, {}: element {} is {}", name, i, at(i)));
        });
    }
};

/// The median time of skelrt over its rival's: OpenMP's loop; on a GPU a map that copies.
template <class T>
double race_of(report& out, const char* type, const race_options& o, rival_team& team)
{
    std::vector<transposer> all;
    all.push_back({{"skelrt", std::make_unique<skelrt_transpose<T>>(o.n, true), runs_as::skelrt}});
    if (o.on_gpu())
        all.push_back({{"copy", std::make_unique<skelrt_transpose<T>>(o.n, false), runs_as::skelrt}, false});
    else all.push_back({{"OpenMP", make_openmp_transpose<T>(o.n, team), runs_as::team}});
    for (const transposer& e : all) e.check(o.n);
    out.heading(fmt::format("{0} x {0} {1}", o.n, type));
    const auto times = race(out, "transpose", all, team, o, 2.0 * double(o.n * o.n) * sizeof(T));
    for (const transposer& e : all) e.check(o.n);
    return times[0].median / times[1].median;
}

int transpose(report& out, race_options o)
{
    complete_race(o);
    const auto rt = start_runtime(o.device);
    out.note("devices:     " + devices_text(*rt));
    out.note("the transpose of a square matrix into another; bytes: each element read once and written once; rates are "
             "of the best time, figures of the medians, of the worse type; contestants alternate");
    rival_team team;
    const sk::only kind(o.kind());
    const double worse = std::max(race_of<float>(out, "floats", o, team), race_of<double>(out, "doubles", o, team));
    if (o.on_gpu()) out.figure("gpu_transpose_of_copy", 1 / worse);
    else out.figure("cpu_transpose_vs_openmp", worse);
    return 0;
}

} // namespace

runner declare_transpose(apps::option_list& line)
{
    auto o = std::make_shared<race_options>(race_options{4096, 8192, 15, 20});
    declare_race(line, *o, "cpu: against a tiled OpenMP loop; cuda: resident, against a copy", "rows and columns");
    return [o](report& out) { return transpose(out, *o); };
}

} // namespace bench
