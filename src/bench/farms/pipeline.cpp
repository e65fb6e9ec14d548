// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/commands.hpp"
#include "src/bench/farms/pipeline_rivals.hpp"
#include "src/bench/shared/busy.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/timing.hpp"

#include "apps/shared/picture/pictures.hpp"
#include "apps/shared/program/option_list.hpp"
#include "apps/video/kernel.hpp"

#include <fmt/core.h>
#include <skelrt/pipeline.hpp>
#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace bench
{
namespace
{

namespace sk = skelrt;

struct options {
    double seconds = 0.4; ///< of one core's work in a sample
    std::size_t window = 4 * std::size_t{std::max(1u, std::thread::hardware_concurrency())};
    int repeat = 15;
};

double our_seconds(const pipeline_work& w)
{
    std::size_t next = 0, ended = 0;
    const auto work = [&](float x) { return work_rounds(x, w.rounds); };
    const double begin = now();
    sk::pipeline(sk::source([&] { return next++ < w.values ? std::optional(work(1)) : std::nullopt; }),
                 sk::parallel(work), sk::parallel(work), sk::in_order([&](float x) {
                     keep(work(x));
                     ++ended;
                 }))
        .window(w.window)();
    const double took = now() - begin;
    if (ended != w.values) throw std::runtime_error("pipeline: some values are lost");
    return took;
}

double our_film_seconds(const std::vector<apps::image>& frames, std::size_t window)
{
    std::size_t next = 0, ended = 0;
    const double begin = now();
    sk::pipeline(sk::source([&] { return next < frames.size() ? std::optional(next++) : std::nullopt; }),
                 sk::parallel([&](std::size_t k) { return apps::grey_of(frames[k]); }),
                 sk::parallel([](const video::grey& g) { return video::blurred(g); }),
                 sk::parallel([](const video::grey& g) { return apps::white_where(video::edges_of(g, {}), 2); }),
                 sk::in_order([&](const apps::image& i) { ended += i.pixels() > 0; }))
        .window(window)();
    const double took = now() - begin;
    if (ended != frames.size()) throw std::runtime_error("pipeline: some frames are lost");
    return took;
}

void tell(report& out, const std::string& work, const std::string& figure, std::size_t values,
          const std::vector<summary>& times)
{
    const auto rate = [&](const summary& s) { return static_cast<double>(values) / s.median; };
    out.row(work, "skelrt", times[0], rate(times[0]), "values/s");
    if (times[1].median < 0) return;
    out.row(work, "oneTBB", times[1], rate(times[1]), "values/s");
    out.figure(figure, times[1].median / times[0].median);
}

void compare(report& out, const options& o, int us)
{
    constexpr int stages = 4;
    const auto values = static_cast<std::size_t>(o.seconds / (stages * us * 1e-6));
    const pipeline_work w{values, o.window, rounds_for(us)};
    out.heading(
        fmt::format("{} values through {} stages of {} us each, {} alive at a time", values, stages, us, o.window));
    const auto times = alternate(
        {{"skelrt", [&] { return our_seconds(w); }}, {"oneTBB", [&] { return tbb_pipeline_seconds(w); }}}, 1, o.repeat);
    tell(out, fmt::format("pipeline of {} us stages", us), fmt::format("pipeline_{}us_vs_tbb", us), values, times);
}

void compare_films(report& out, const options& o)
{
    constexpr std::size_t columns = 640, rows = 480, count = 40;
    std::vector<apps::image> frames;
    for (std::size_t k = 0; k < count; ++k) frames.push_back(apps::scene(columns, rows, k));
    out.heading(fmt::format("edges in {} frames of {} x {} pixels", count, columns, rows));
    const auto times = alternate({{"skelrt", [&] { return our_film_seconds(frames, o.window); }},
                                  {"oneTBB", [&] { return tbb_film_seconds(frames, o.window); }}},
                                 2, o.repeat);
    tell(out, "film", "pipeline_film_vs_tbb", count, times);
}

int run(report& out, const options& o)
{
    const auto rt = start_runtime("cpu");
    for (const int us : {1, 10}) compare(out, o, us);
    compare_films(out, o);
    return 0;
}

} // namespace

runner declare_pipeline(apps::option_list& line)
{
    auto o = std::make_shared<options>();
    line.positive("--seconds", o->seconds, "of one core's work in a sample");
    line.positive("--window", o->window, "values alive at a time");
    line.positive("--repeat", o->repeat, "rounds");
    return [o](report& out) { return run(out, *o); };
}

} // namespace bench
