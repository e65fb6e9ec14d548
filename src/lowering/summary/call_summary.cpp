// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/summary/call_summary.hpp"

#include "src/program/now_ns.hpp"

#include <fmt/format.h>
#include <starpu.h>

#include <cstdio>

namespace skelrt::detail
{

namespace
{

std::string memory_text(int node)
{
    char name[64];
    starpu_memory_node_get_name(static_cast<unsigned>(node), name, sizeof name);
    return name;
}

std::vector<summary_copies> copies_so_far()
{
    std::vector<summary_copies> all;
    for (int bus = 0; bus < starpu_bus_get_count(); ++bus) {
        starpu_profiling_bus_info info{};
        if (starpu_bus_get_profiling_info(bus, &info) != 0) continue;
        all.push_back({memory_text(starpu_bus_get_src(bus)), memory_text(starpu_bus_get_dst(bus)),
                       static_cast<std::size_t>(info.transfer_count), static_cast<double>(info.transferred_bytes)});
    }
    return all;
}

} // namespace

call_summary::call_summary() : began_us_(now_us()) { starpu_profiling_status_set(STARPU_PROFILING_ENABLE); }

void call_summary::add_inline(const std::string& name, double us) noexcept { add(name, inline_place, {1, 0, us}); }

void call_summary::add_task(const std::string& name, bool begins, double part) noexcept
{
    const starpu_task* const task = starpu_task_get_current();
    const starpu_profiling_task_info* const p = task ? task->profiling_info : nullptr;
    if (!p) return;
    const int worker = starpu_worker_get_id();
    const int place = starpu_worker_get_type(worker) == STARPU_CPU_WORKER ? cores_place : worker;
    const double us =
        starpu_timing_timespec_delay_us(const_cast<timespec*>(&p->start_time), const_cast<timespec*>(&p->end_time));
    add(name, place, {begins ? std::size_t{1} : 0, 1, us * part});
}

void call_summary::add(const std::string& name, int place, const sums& more) noexcept
{
    const std::lock_guard lock(guard_);
    sums& s = all_[{&name, place}];
    s.calls += more.calls;
    s.tasks += more.tasks;
    s.us += more.us;
}

std::string call_summary::place_text(int place)
{
    if (place == inline_place) return "inline";
    if (place == cores_place) return "cores";
    const bool cuda = starpu_worker_get_type(place) == STARPU_CUDA_WORKER;
    return fmt::format("{} {}", cuda ? "CUDA" : "OpenCL", starpu_worker_get_devid(place));
}

void call_summary::print() const
{
    const double seconds = (now_us() - began_us_) * 1e-6;
    std::vector<summary_row> rows;
    const std::lock_guard lock(guard_);
    for (const auto& [what, s] : all_) {
        const bool unnamed = what.first->starts_with('('); // a task that has its line only
        rows.push_back({(unnamed ? "task " : "") + *what.first, place_text(what.second), s.calls, s.tasks, s.us});
    }
    std::fputs(summary_text(rows, copies_so_far(), seconds).c_str(), stderr);
}

} // namespace skelrt::detail
