// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/messages/data_hold.hpp"

#include "src/data/memory/host_storage.hpp"
#include "src/data/release.hpp"
#include "src/runtime/starpu_task.hpp"

#include <algorithm>

namespace skelrt::detail
{

data_hold::~data_hold()
{
    for (const use& u : uses_) {
        u.users->fetch_sub(1, std::memory_order_release);
        host_part(*u.data).held_by_calls.fetch_sub(1, std::memory_order_relaxed);
        if (u.data->references.fetch_sub(1, std::memory_order_acq_rel) == 1) bury(u.data);
    }
}

void data_hold::add(managed_state& m)
{
    if (std::ranges::find(uses_, m.users, &use::users) != uses_.end()) return;
    uses_.push_back({m.users, m.owner});
    m.users->fetch_add(1, std::memory_order_relaxed);
    m.owner->references.fetch_add(1, std::memory_order_relaxed);
    host_part(*m.owner).held_by_calls.fetch_add(1, std::memory_order_relaxed);
}

void hold_until_idle(managed_state& m)
{
    auto hold = std::make_unique<data_hold>();
    hold->add(m);
    starpu_task* const t = starpu_task_create();
    const listed_handle last[] = {{m.tiles[0], STARPU_RW}};
    list_handles(*t, last);
    t->cl = &nowhere_codelet();
    t->callback_func = [](void* held) { delete static_cast<data_hold*>(held); };
    t->callback_arg = hold.get();
    if (submit_task(t) == 0) static_cast<void>(hold.release());
    else discard(t);
}

} // namespace skelrt::detail
