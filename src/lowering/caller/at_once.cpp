// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/caller/at_once.hpp"

#include "src/data/tile_handle.hpp"
#include "src/lowering/decide/decide.hpp"
#include "src/lowering/run/tasks.hpp"
#include "src/lowering/summary/call_summary.hpp"
#include "src/program/now_ns.hpp"

#include <algorithm>

namespace skelrt::detail
{

bool at_once_run::prepare(carrier by, task_group& g, std::span<const handle_use> used, const layout& data)
{
    const auto must_come = [](const handle_use& u) {
        return u.mode() != STARPU_W && !is_valid_on(u.handle, STARPU_MAIN_RAM);
    };
    if (std::ranges::any_of(used, must_come)) return false;
    if (by == carrier::own_core) {
        g.team = false;
    } else if (!lead_.emplace(leader::caller)) {
        lead_.reset();
        return false;
    }
    buffers_.emplace(used.size());
    for (std::size_t i = 0; i < used.size(); ++i)
        (*buffers_)[i] = starpu_data_get_interface_on_node(used[i].handle, STARPU_MAIN_RAM);
    data.mark(marks_.emplace(data.containers()));
    for (const handle_use& u : used)
        if (u.written) claim_for_host(u.handle, u.mode());
    group_ = &g;
    return true;
}

void at_once_run::run() noexcept
{
    if (!group_) return;
    call_summary* const summary = engine::current()->summary();
    const double begin_us = summary ? now_us() : 0;
    run_group(buffers_->data(), *group_, lead_ ? &*lead_ : nullptr);
    lead_.reset();
    marks_->end(); // first: its last task done, the call may be cleared, and containers with it
    submitted_call& c = *group_->owner;
    if (summary) summary->add_inline(c.what().name, now_us() - begin_us);
    c.arrived.store(true, std::memory_order_release);
    tell_cores_are_done(c);
    c.task_done();
}

} // namespace skelrt::detail
