// SPDX-License-Identifier: BSD-3-Clause
#include "src/tasks/after.hpp"

#include "src/runtime/starpu_task.hpp"

#include <atomic>

namespace skelrt::detail
{

void awaited_work::add(const std::shared_ptr<started_work>& w)
{
    if (w && !w->done()) all_.push_back(w);
}

starpu_task* awaited_work::make_gate(starpu_task& t) const
{
    if (all_.empty()) return nullptr;
    starpu_task* gate = starpu_task_create();
    gate->cl = &nowhere_codelet();
    starpu_task_declare_deps_array(&t, 1, &gate);
    return gate;
}

void awaited_work::release_when_done(starpu_task* gate)
{
    const auto left = std::make_shared<std::atomic<std::size_t>>(all_.size());
    for (const auto& w : all_)
        w->when_done([left, gate] {
            if (left->fetch_sub(1) == 1) static_cast<void>(submit_task(gate));
        });
}

} // namespace skelrt::detail
