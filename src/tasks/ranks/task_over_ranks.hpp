// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/items/task_call.hpp>

#include <functional>

namespace skelrt::detail
{

class engine;

/// Submits a task on this rank.
using run_task = std::function<run_handle(const task_request&)>;

/// A task of a program of several ranks, on all of them: records it, sends and awaits what lies elsewhere, and runs it
/// on the rank that holds what it writes. Throws error, on all ranks, for what no rank can run.
run_handle submit_over_ranks(engine& e, const task_request& r, const run_task& run);

} // namespace skelrt::detail
