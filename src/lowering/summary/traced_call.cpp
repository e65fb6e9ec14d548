// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/summary/traced_call.hpp"

#include "src/program/program.hpp"

#include <algorithm>
#include <utility>

namespace skelrt::detail
{

constinit thread_local traced_call* traced_call::innermost = nullptr;

namespace
{

/// Of more devices than there is room for, the last share has the rest.
traced_share& share_of(trace_record& r, std::size_t device, const std::vector<const target*>& targets) noexcept
{
    const std::size_t last = r.shares.size() - 1;
    traced_share& s = r.shares[std::min(device, last)];
    s.device = device >= last && targets.size() > r.shares.size() ? traced_share::others
                                                                  : static_cast<std::uint8_t>(targets[device]->index);
    return s;
}

/// What its device takes alone; of several, the one that is busy for longest. 0: nobody asked.
double planned_us(const decision& d) noexcept
{
    if (d.groups.empty() || d.single_us.empty() || d.busy_us.empty()) return 0;
    const unsigned device = d.groups.front().device;
    const bool alone = std::ranges::all_of(d.groups, [&](const plan_group& g) { return g.device == device; });
    return alone ? d.single_us[device] : std::ranges::max(d.busy_us);
}

} // namespace

void traced_call::look_at_clock() noexcept
{
    before_ = program::current().row.now;
    begin_ns_ = trace_now_ns();
}

trace_record& traced_call::written() noexcept
{
    if (record_) return *record_;
    if (begin_ns_ == 0) look_at_clock(); // it was to be counted, and is another one than those before
    const recipe& what = made_->site->what;
    trace_record& r = record_.emplace();
    r.begin_ns = begin_ns_;
    r.name = &what.name;
    r.rows = made_->rows;
    r.cols = made_->cols;
    r.bytes = static_cast<float>(what.bytes_per_element) * static_cast<float>(made_->rows * made_->cols);
    r.steps = made_->steps;
    r.before = before_;
    return r;
}

void traced_call::end() noexcept
{
    trace_record& r = written();
    r.end_ns = trace_now_ns();
    if (is_short_) record_short_call(r);
    else record(r);
}

void traced_call::note_done_here(double predicted_us, bool free) noexcept
{
    trace_record& r = written();
    r.by = is_short_ ? done_by::caller : done_by::led_cores;
    r.planned_us = static_cast<float>(predicted_us);
    r.free = free;
}

void traced_call::is_submitted(std::uint64_t number, const decision& d, const std::vector<const target*>& targets,
                               done_by by, bool free) noexcept
{
    trace_record& r = written();
    const std::uint64_t now = trace_now_ns();
    if (r.call > 0) { // of a call in two halves the first
        r.end_ns = now;
        record(r);
        r.shares = {};
        r.begin_ns = now;
    }
    r.call = number;
    r.by = by;
    r.free = free;
    r.planned_us = static_cast<float>(planned_us(d));
    r.parts = static_cast<std::uint32_t>(d.groups.size());
    for (const plan_group& g : d.groups) {
        traced_share& s = share_of(r, g.device, targets);
        ++s.tasks;
        s.tiles += static_cast<std::uint32_t>(g.count);
    }
    for (std::size_t device = 0; device < d.single_us.size(); ++device)
        share_of(r, device, targets).alone_us = static_cast<float>(d.single_us[device]);
}

} // namespace skelrt::detail
