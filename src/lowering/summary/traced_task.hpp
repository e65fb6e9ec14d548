// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/trace/timeline.hpp"

#include <starpu.h>

#include <cstdint>
#include <string>

namespace skelrt::detail
{

/// SKELRT_TRACE: what a worker does for a task, from here to the end of a block, or from an earlier moment until now.
class traced_task
{
public:
    /// `first`: of its elements.
    traced_task(const std::string& name, std::uint64_t call, std::uint32_t number, std::size_t elements,
                bool by_team = false) noexcept
        : name_(name), call_(call), number_(number), elements_(elements), by_team_(by_team),
          begin_ns_(tracing() ? trace_now_ns() : 0)
    {
    }
    ~traced_task()
    {
        if (begin_ns_ > 0) [[unlikely]]
            write(name_, call_, number_, elements_, begin_ns_, by_team_);
    }
    traced_task(const traced_task&) = delete;
    traced_task& operator=(const traced_task&) = delete;

    /// A GPU's, which has ended by now; or that nobody has seen the end of.
    static void ended(const std::string& name, std::uint64_t call, std::uint32_t number, std::size_t elements,
                      std::uint64_t begin_ns, bool left_running = false) noexcept
    {
        if (begin_ns > 0 && tracing()) [[unlikely]]
            write(name, call, number, elements, begin_ns, false, left_running);
    }

    /// All cores', led by the calling thread without a task.
    static void led(const std::string& name, std::size_t elements, std::uint64_t begin_ns) noexcept
    {
        if (begin_ns > 0) [[unlikely]]
            write(name, 0, 0, elements, begin_ns, true);
    }

private:
    static void write(const std::string& name, std::uint64_t call, std::uint32_t number, std::size_t elements,
                      std::uint64_t begin_ns, bool by_team, bool left_running = false) noexcept
    {
        if (!tracing()) return;
        trace_record r;
        r.begin_ns = begin_ns;
        r.end_ns = trace_now_ns();
        r.name = &name;
        r.call = call;
        r.cols = elements;
        r.number = number;
        r.what = traced::task;
        r.row = by_team ? trace_record::team : static_cast<std::int16_t>(starpu_worker_get_id()); // -1: none
        r.ends_unknown = left_running;
        record(r);
    }

    const std::string& name_;
    const std::uint64_t call_;
    const std::uint32_t number_;
    const std::size_t elements_;
    const bool by_team_;
    const std::uint64_t begin_ns_;
};

} // namespace skelrt::detail
