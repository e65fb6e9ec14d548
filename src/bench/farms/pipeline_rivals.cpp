// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/farms/pipeline_rivals.hpp"
#include "src/bench/shared/busy.hpp"
#include "src/bench/shared/timing.hpp"

#include "apps/shared/picture/pictures.hpp"
#include "apps/video/kernel.hpp"

#include <stdexcept>

#if SKELRT_BENCH_TBB
#include <tbb/parallel_pipeline.h>
#endif

namespace bench
{

#if SKELRT_BENCH_TBB
double tbb_pipeline_seconds(const pipeline_work& w)
{
    std::size_t next = 0, ended = 0;
    const auto source = [&](tbb::flow_control& flow) {
        if (next++ < w.values) return work_rounds(1, w.rounds);
        flow.stop();
        return 0.0f;
    };
    const auto work = [&](float x) { return work_rounds(x, w.rounds); };
    const auto end = [&](float x) {
        keep(work(x));
        ++ended;
    };
    using mode = tbb::filter_mode;
    const double begin = now();
    tbb::parallel_pipeline(w.window, tbb::make_filter<void, float>(mode::serial_in_order, source) &
                                         tbb::make_filter<float, float>(mode::parallel, work) &
                                         tbb::make_filter<float, float>(mode::parallel, work) &
                                         tbb::make_filter<float, void>(mode::serial_in_order, end));
    const double took = now() - begin;
    if (ended != w.values) throw std::runtime_error("pipeline: oneTBB lost some values");
    return took;
}

double tbb_film_seconds(const std::vector<apps::image>& frames, std::size_t window)
{
    using video::grey, apps::image;
    std::size_t next = 0, ended = 0;
    const auto source = [&](tbb::flow_control& flow) {
        if (next < frames.size()) return next++;
        flow.stop();
        return next;
    };
    using mode = tbb::filter_mode;
    const auto read = [&](std::size_t k) { return apps::grey_of(frames[k]); };
    const auto blur = [](const grey& g) { return video::blurred(g); };
    const auto canny = [](const grey& g) { return apps::white_where(video::edges_of(g, {}), 2); };
    const auto end = [&](const image& i) { ended += i.pixels() > 0; };
    const double begin = now();
    tbb::parallel_pipeline(window, tbb::make_filter<void, std::size_t>(mode::serial_in_order, source) &
                                       tbb::make_filter<std::size_t, grey>(mode::parallel, read) &
                                       tbb::make_filter<grey, grey>(mode::parallel, blur) &
                                       tbb::make_filter<grey, image>(mode::parallel, canny) &
                                       tbb::make_filter<image, void>(mode::serial_in_order, end));
    const double took = now() - begin;
    if (ended != frames.size()) throw std::runtime_error("pipeline: oneTBB lost some frames");
    return took;
}
#else
double tbb_pipeline_seconds(const pipeline_work&) { return -1; }
double tbb_film_seconds(const std::vector<apps::image>&, std::size_t) { return -1; }
#endif

} // namespace bench
