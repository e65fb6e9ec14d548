// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/trace/timeline.hpp"

#include <starpu.h>

#include <cstdint>
#include <string>

namespace skelrt::detail
{

/// What a worker does for a task, from here to the end of a block, or from an earlier moment until now: for the
/// timeline, and for whoever else looks.
class traced_task
{
public:
    /// `first`: of its elements.
    traced_task(const std::string& name, std::uint64_t call, std::uint32_t number, std::size_t elements,
                bool by_team = false) noexcept
        : name_(name), call_(call), number_(number), elements_(elements), by_team_(by_team),
          begin_ns_(tracing() ? trace_now_ns() : 0)
    {
        if (is_observed()) [[unlikely]]
            now_.begin(deed::task, &name, row_of(by_team));
    }
    ~traced_task()
    {
        if (begin_ns_ > 0) [[unlikely]]
            write(name_, call_, number_, elements_, begin_ns_, by_team_);
    }
    traced_task(const traced_task&) = delete;
    traced_task& operator=(const traced_task&) = delete;

    /// The calling worker begins to hand a task's kernels to its GPU. Returns when that was, if somebody records it.
    static std::uint64_t begins_kernels(const std::string& name) noexcept
    {
        if (!is_observed()) [[likely]]
            return 0;
        if (is_observed_by(observer::lookout)) kernels_begin(starpu_worker_get_id(), name);
        return tracing() ? trace_now_ns() : 0;
    }
    static void ends_kernels() noexcept
    {
        if (is_observed_by(observer::lookout)) [[unlikely]]
            kernels_end(starpu_worker_get_id());
    }
    /// A GPU's, which has ended by now; or that nobody has seen the end of.
    static void ended(const std::string& name, std::uint64_t call, std::uint32_t number, std::size_t elements,
                      std::uint64_t begin_ns, bool left_running = false) noexcept
    {
        ends_kernels();
        if (begin_ns > 0 && tracing()) [[unlikely]]
            write(name, call, number, elements, begin_ns, false, left_running);
    }

    /// Of a task that others give its times.
    static trace_record of(const std::string& name, std::uint64_t call, std::uint32_t number, std::size_t elements,
                           std::uint64_t begin_ns, bool by_team = false) noexcept
    {
        trace_record r;
        r.begin_ns = r.end_ns = begin_ns;
        r.name = &name;
        r.call = call;
        r.cols = elements;
        r.number = number;
        r.what = traced::task;
        r.row = row_of(by_team);
        return r;
    }

    /// All cores', led by the calling thread without a task.
    static void led(const std::string& name, std::size_t elements, std::uint64_t begin_ns) noexcept
    {
        if (begin_ns > 0) [[unlikely]]
            write(name, 0, 0, elements, begin_ns, true);
    }

private:
    static std::int16_t row_of(bool by_team) noexcept
    {
        return by_team ? trace_record::team : static_cast<std::int16_t>(starpu_worker_get_id()); // -1: none
    }
    static void write(const std::string& name, std::uint64_t call, std::uint32_t number, std::size_t elements,
                      std::uint64_t begin_ns, bool by_team, bool left_running = false) noexcept
    {
        if (!tracing()) return;
        trace_record r = of(name, call, number, elements, begin_ns, by_team);
        r.end_ns = trace_now_ns();
        r.ends_unknown = left_running;
        record(r);
    }

    const std::string& name_;
    const std::uint64_t call_;
    const std::uint32_t number_;
    const std::size_t elements_;
    const bool by_team_;
    const std::uint64_t begin_ns_;
    doing now_;
};

} // namespace skelrt::detail
