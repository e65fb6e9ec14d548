// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/program/started_work.hpp"

#include <starpu.h>

#include <memory>
#include <vector>

namespace skelrt::detail
{

/// What a task waits for besides its data: tasks and items that the user named. StarPU knows nothing of items, and
/// forgets tasks; so the task depends on an empty one, which is submitted when all others have ended.
class awaited_work
{
public:
    /// Null and what has ended are nothing to wait for.
    void add(const std::shared_ptr<started_work>& w);
    /// Null: there is nothing to wait for. Before `t` is submitted.
    starpu_task* make_gate(starpu_task& t) const;
    /// After it.
    void release_when_done(starpu_task* gate);

private:
    std::vector<std::shared_ptr<started_work>> all_;
};

} // namespace skelrt::detail
