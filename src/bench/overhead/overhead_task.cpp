// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/overhead/overhead.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/host_array.hpp"

#include <fmt/core.h>
#include <skelrt/skelrt.hpp>
#include <starpu.h>

#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <vector>

namespace bench
{
namespace
{

namespace sk = skelrt;

constexpr std::size_t tiles = 64;
constexpr float factor = 0.5f;

// ---- the rival: what one writes who knows StarPU --------------------------------------------------------------------

void raw_kernel(void* buffers[], void* argument)
{
    const float a = *static_cast<const float*>(argument);
    const auto* x = reinterpret_cast<const float*>(STARPU_VECTOR_GET_PTR(buffers[0]));
    auto* y = reinterpret_cast<float*>(STARPU_VECTOR_GET_PTR(buffers[1]));
    const std::size_t n = STARPU_VECTOR_GET_NX(buffers[0]);
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}

/// One vector in equal tiles, a handle each.
class raw_tiles
{
public:
    raw_tiles(std::size_t tile, float value) : data_(make_host_array<float>(tile * tiles)), handles_(tiles)
    {
        for (std::size_t i = 0; i < tile * tiles; ++i) data_[i] = value;
        for (std::size_t t = 0; t < tiles; ++t)
            starpu_vector_data_register(&handles_[t], STARPU_MAIN_RAM, reinterpret_cast<uintptr_t>(&data_[t * tile]),
                                        static_cast<std::uint32_t>(tile), sizeof(float));
    }
    ~raw_tiles()
    {
        for (starpu_data_handle_t h : handles_) starpu_data_unregister(h);
    }
    raw_tiles(const raw_tiles&) = delete;
    raw_tiles& operator=(const raw_tiles&) = delete;

    starpu_data_handle_t operator[](std::size_t t) const { return handles_[t]; }
    /// An element, after all tasks.
    float value(std::size_t i) const { return data_[i]; }

private:
    host_array<float> data_;
    std::vector<starpu_data_handle_t> handles_;
};

class raw_map
{
public:
    explicit raw_map(std::size_t tile) : x_(tile, 1.0f), y_(tile, 2.0f)
    {
        starpu_codelet_init(&codelet_);
        codelet_.cpu_funcs[0] = raw_kernel;
        codelet_.nbuffers = 2;
        codelet_.modes[0] = STARPU_R;
        codelet_.modes[1] = STARPU_RW;
        codelet_.name = "raw saxpy";
    }

    void submit()
    {
        for (std::size_t t = 0; t < tiles; ++t) {
            starpu_task* task = starpu_task_create();
            task->cl = &codelet_;
            task->handles[0] = x_[t];
            task->handles[1] = y_[t];
            task->cl_arg = &argument_; // outlives the tasks: nothing to copy
            task->cl_arg_size = sizeof argument_;
            if (starpu_task_submit(task) != 0) throw std::runtime_error("raw StarPU: a task was refused");
        }
    }
    float value(std::size_t i) const { return y_.value(i); }

private:
    raw_tiles x_, y_;
    starpu_codelet codelet_;
    float argument_ = factor;
};

// ---- the comparison -------------------------------------------------------------------------------------------------

/// Tasks that `work` makes the CPU workers run.
template <class Work>
int count_tasks(const Work& work)
{
    const auto executed = [] {
        int all = 0;
        for (unsigned w = 0; w < starpu_worker_get_count(); ++w) {
            starpu_profiling_worker_info info;
            starpu_profiling_worker_get_info(static_cast<int>(w), &info); // also sets the counter to zero
            all += info.executed_tasks;
        }
        return all;
    };
    starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
    executed();
    work();
    const int tasks = executed();
    starpu_profiling_status_set(STARPU_PROFILING_DISABLE);
    return tasks;
}

template <class Submit>
double time_once(const Submit& submit)
{
    const double start = now();
    submit();
    starpu_task_wait_for_all();
    return now() - start;
}

/// With a policy of the user's choice skelrt makes one task per tile; without one the planner groups tiles, and there
/// would be nothing to compare.
void choose_policy(report& out)
{
    if (setenv("STARPU_SCHED", "lws", 0) != 0) throw std::runtime_error("no memory for the environment");
    out.note(fmt::format("\npolicy of both: STARPU_SCHED={}", std::getenv("STARPU_SCHED")));
}

} // namespace

void measure_task(report& out, const overhead_options& o)
{
    choose_policy(out);
    const auto rt = start_runtime("cpu");
    raw_map raw(o.tile);
    sk::vector<float> x(o.tile * tiles, 1.0f), y(o.tile * tiles, 2.0f);
    x.set_tiles(tiles);
    y.set_tiles(tiles);
    const auto saxpy = sk::map(SKELRT_FN((float a, float x, float y) { return a * x + y; }));
    int calls = 0;
    const auto ours = [&] {
        ++calls;
        y = saxpy(factor, x, y);
    };
    const auto theirs = [&] { raw.submit(); };

    out.heading(fmt::format("map over {} tiles of {} floats, one task a tile, submission to completion, {} CPU workers",
                            tiles, o.tile, starpu_cpu_worker_get_count()));
    const auto t =
        alternate({{"skelrt", [&] { return time_once(ours); }}, {"raw StarPU", [&] { return time_once(theirs); }}}, 20,
                  40 * o.repeat);
    out.row("map", "skelrt", t[0], tiles / t[0].median / 1e6, "Mtasks/s");
    out.row("map", "raw StarPU", t[1], tiles / t[1].median / 1e6, "Mtasks/s");

    const auto ours_done = [&] { time_once(ours); };
    const auto theirs_done = [&] { time_once(theirs); };
    const int our_tasks = count_tasks(ours_done), raw_tasks = count_tasks(theirs_done);
    const auto view = sk::host_read(y);
    for (std::size_t i = 0; i < view.size(); ++i)
        if (std::abs(view[i] - raw.value(i)) > 1e-3f || std::abs(view[i] - (2.0f + factor * float(calls))) > 1e-3f)
            throw std::runtime_error(fmt::format("overhead, tasks: y[{}] is {} and {}", i, view[i], raw.value(i)));
    out.note(fmt::format("tasks per map: skelrt {}, raw StarPU {}; per task above raw StarPU: {:.3f} us by the best "
                         "times, {:.3f} us by the medians, which is the figure",
                         our_tasks, raw_tasks, (t[0].best - t[1].best) / tiles * 1e6,
                         (t[0].median - t[1].median) / tiles * 1e6));
    if (our_tasks == raw_tasks) out.figure("task_over_starpu_us", (t[0].median - t[1].median) / tiles * 1e6);
    else out.warn("skelrt does not make one task per tile here: no figure task_over_starpu_us");
}

} // namespace bench
