// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/tasks/task_end.hpp"

#include <skelrt/detail/items/task_call.hpp>

#include <memory>
#include <span>

/// What tasks need of other ranks, as edges of the graph: a task packs it where it lies, one message carries it on the
/// data plane, and a task takes it where it is needed. Each message says in its last element whether what it carries
/// has failed; who reads that is skipped. Nothing waits here. Both ends call with the same number, by which they know the
/// message among those of the program's last call.
namespace skelrt::detail
{

class engine;

/// A part that lies here, to each of these ranks.
void send_part(engine& e, const task_part& from, std::span<const unsigned> to, unsigned number);
/// Into a part that lies here: all of its elements are written.
void receive_part(engine& e, const task_part& into, unsigned from, unsigned number);

/// What a task that runs here gives, to each of these ranks, once it has ended.
void send_result(engine& e, const std::shared_ptr<task_body>& of, const std::shared_ptr<task_end>& end,
                 std::span<const unsigned> to, unsigned number);
/// Ends when the result has come.
std::shared_ptr<task_end> receive_result(engine& e, const std::shared_ptr<task_body>& of, unsigned from,
                                         unsigned number);

} // namespace skelrt::detail
