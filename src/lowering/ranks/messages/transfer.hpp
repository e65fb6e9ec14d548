// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/managed.hpp"
#include "src/data/parting/held.hpp"
#include "src/lowering/place/foreign_lines.hpp"
#include "src/lowering/ranks/needs/exchange.hpp"
#include "src/lowering/ranks/needs/passage.hpp"
#include "src/runtime/order/submission_order.hpp"

#include <cstdint>
#include <mutex>
#include <vector>

namespace skelrt::detail
{

class engine;

/// The messages of one call, as edges of the graph: tasks gather what goes out where it lies, and what comes is awaited
/// by the tasks that need it. Nothing waits here.
///
/// Lifetime: until the tasks that use what came are submitted. Thread safety: the program's thread.
class transfer
{
public:
    /// Of the call that was recorded last.
    explicit transfer(engine& e);
    ~transfer();
    transfer(const transfer&) = delete;
    transfer& operator=(const transfer&) = delete;

    /// Sends what others need of a container's part here.
    void send(storage& from, const exchange& x);
    void send(storage& from, const passage& x);
    /// Writes all that this rank holds of `to`: pieces of what it holds of `from`, and of what comes. What is behind
    /// the last piece stays as it is; each tile has a part of one.
    void fill(storage& to, storage& from, const passage& x);
    /// Writes `to` with the elements of `from`, a container of the same shape; of either every rank may have all. What
    /// every rank has is read without the others: all wait for it, and throw errors of calls on `from`.
    void redistribute(storage& from, storage& to);
    /// What this rank would hold of a container in balanced blocks.
    held_part blocks_of(const storage& s) const;
    /// The lines that come, of `width` elements each; `first`: the element with which line 0 begins.
    void take_lines(storage& from, const exchange& x, std::size_t slot, std::size_t first, std::size_t width,
                    foreign_lines& to);

    /// With the order's lock: what was submitted on a message so far goes to a rank; what a rank sends comes to it, and
    /// is `done` then, on another thread. The message stays with the caller.
    void post(starpu_data_handle_t message, unsigned rank);
    void await(starpu_data_handle_t message, unsigned rank, void (*done)(void*), void* argument);

private:
    starpu_data_handle_t receive(unsigned rank, std::size_t count, std::size_t element_size);
    void send(starpu_data_handle_t message, unsigned rank);
    std::int64_t tag(unsigned other, bool outgoing);
    void tell_faults(storage& from);
    static void hand_on_faults(storage& from, storage& to);

    engine& engine_;
    const std::uint64_t call_, hash_; ///< recorded last when this was made: a call may record others meanwhile
    std::vector<std::uint32_t> sent_, received_; ///< messages of this call so far, to and from each rank
    std::vector<starpu_data_handle_t> arrived_;  ///< theirs
};

/// The order's lock, when no thread of the program is in the way of who reads one container, and writes another. The
/// last calls on both are with StarPU then.
std::unique_lock<submission_order> lock_when_unused(engine& e, storage& read, storage* written = nullptr);

} // namespace skelrt::detail
