// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/place/layout/layout.hpp"
#include "src/runtime/starpu_task.hpp"

#include <starpu.h>

#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

/// StarPU's tasks: their data, who may run them, and those that a call needs beside its own. For who holds the order's
/// lock.
namespace skelrt::detail
{

/// Gives a task its data.
void set_handles(starpu_task& t, const std::vector<handle_use>& used, starpu_data_handle_t scratch, task_group& group);

/// That worker runs it, and no other: group tasks that may move get a hint of their own. Null: any worker of these
/// targets' kinds.
void send_to(starpu_task& t, const target* where, const std::vector<const target*>& targets);

/// Copies the lines of a halo.
starpu_task* make_halo_task(halo& h);

/// What a task that gathers tiles works on.
struct gathering {
    std::size_t tiles;
    std::shared_ptr<fault_log> faults; ///< of the container
    std::uint64_t call;                ///< readers of what is there now hear of faults of this call
    void fail(const std::exception_ptr& what) const noexcept { faults->add(call, what); }
};

/// Gathers the tiles of a container in its replica.
starpu_task* make_gather_task(managed_state& m);

/// Copies a tile.
starpu_task* make_copy_task(const submitted_calls::tile_copy& c);

/// Combines a call's partial results in its result.
starpu_task* make_combine_task(submitted_call& state);

} // namespace skelrt::detail
