// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/parts/rectangle.hpp"
#include "src/runtime/memory/small_array.hpp"
#include "src/runtime/starpu_task.hpp"
#include "src/tasks/task_record.hpp"

#include <starpu.h>

#include <cstddef>
#include <span>
#include <string>

namespace skelrt::detail
{

/// Whether devices with memory of their own may run the task: these want each part in one piece.
enum class pieces : std::uint8_t { one, several };

/// Where a task will leave what it writes: a worker tells if that is a guess, and was wrong.
struct result_place {
    node_mask node;
    bool is_sure;
};

/// The parts of a task as rectangles of their containers. Throws error for parts that are none, and for parts that
/// overlap where one is written: "main.cpp:12: sk::task: ...".
class task_parts
{
public:
    explicit task_parts(std::span<const task_part> parts);

    /// Parts that are only read overlap, and are not the same: no device can have each in one piece.
    bool share_reads() const noexcept { return share_reads_; }
    /// A container with an open host view that is in the way of a part; null: there is none.
    const storage* viewed() const noexcept;
    /// Some of them lies in a container that may not be cut now, for the host has a view open, in several pieces.
    bool are_held() const;
    double bytes() const noexcept;
    /// Of the part that has most bytes; 0: there are no parts.
    std::size_t element_size() const noexcept;
    /// SKELRT_CHECK=races: throws error if others use them; `by`: the task's title.
    void check_races(const std::string& by) const;

    /// Where the record finds them, and what it lists; notes them as used by it, and what it writes. Caller holds the
    /// order's lock, and has sent what was pending on them.
    void place(task_record& t, pieces wanted, result_place results) const;
    /// The same for the total of a reduction, whose task lists it alone.
    static listed_handle place_total(task_record& t, const task_part& p, placed_part& at);
    /// When the task is submitted: gates that nobody else awaits may go.
    void forget_gates() const;

private:
    std::span<const task_part> parts_;
    small_array<rectangle, few_slots> where_; ///< of each; nothing for scratch and for no elements
    bool share_reads_ = false;
};

/// Where a part lies among these elements; nothing for scratch, reductions and no elements. Throws error for what is no
/// rectangle of them.
rectangle rectangle_among(const rectangle& all, const task_part& p);
/// Throws error for parts that share elements of which one is written; `where`: of each. Whether parts that are read
/// do, and are not the same.
bool check_shared_elements(std::span<const task_part> parts, std::span<const rectangle> where);

/// Where the caller wrote the first part that tells its place.
caller place_of(const task_request& r);

bool writes(part_use use) noexcept;
bool reads(part_use use) noexcept;

} // namespace skelrt::detail
