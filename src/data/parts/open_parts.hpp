// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/parts/rectangle.hpp"

#include <skelrt/detail/caller.hpp>
#include <skelrt/detail/storage.hpp>

#include <starpu.h>

#include <string_view>
#include <vector>

/// The host's views of parts that are open: what tasks on the same container have to keep away from. A part's view
/// counts among its storage's readers or writers, too, where calls look, which use all of it.
namespace skelrt::detail
{

/// A host view of a part, from its making to its end.
struct open_part {
    storage* of;
    rectangle where; ///< in the whole container
    rectangle here;  ///< the same among what this rank holds: in one process the same, elsewhere perhaps nothing
    access how;
    std::vector<starpu_data_handle_t> held; ///< of StarPU's, until the view ends; the registry's, see below

    bool writes() const noexcept { return how != access::read; }
};

// Any thread. All are cheap while the storage has no open views.

/// Opens it. False: another view is in the way, of a part or of all, and nothing has changed.
bool try_open(open_part& p);
/// What it holds of StarPU's from now on. With the order's lock.
void note_held(open_part& p, std::vector<starpu_data_handle_t> held);
/// Of a view that shows copies: StarPU gets back what it held, and others are kept away as before. Not in tasks.
void give_back(open_part& p) noexcept;
/// Ends it: gives StarPU what it held, or leaves that to who reaps, if a task ends it.
void close(open_part& p) noexcept;

/// Whether a view, of a part or of all, is in the way of a reader or writer of this part of what this rank holds.
bool is_viewed(const storage& s, const rectangle& part, bool by_writer) noexcept;
/// The same for a part of the whole container: all ranks find the same.
bool is_viewed_anywhere(const storage& s, const rectangle& part, bool by_writer) noexcept;
/// Whether a view of all reads.
bool is_read_as_a_whole(const storage& s) noexcept;
/// Whether a view of all may write: nothing of it is under way.
bool is_written_as_a_whole(const storage& s) noexcept;
/// Whether one of a part may write.
bool are_parts_written(const storage& s) noexcept;
/// Whether one that may write holds this: nothing of it is under way.
bool is_held_for_writing(const storage& s, starpu_data_handle_t handle) noexcept;
/// Whether one holds data of StarPU's.
bool are_parts_held(const storage& s) noexcept;

/// Throws error if a view of any of it is open, naming the call.
void refuse_open_views(const storage& s, const caller& where, std::string_view call);
/// Throws error: a view of a part is in the way of who uses all.
[[noreturn]] void throw_part_open(const storage& s);

/// Gives StarPU what views held that tasks have ended. Not in tasks.
void release_late_parts() noexcept;
/// The runtime's end: views that are open go on in the host's memory.
void release_parts_of(const storage& s) noexcept;

} // namespace skelrt::detail
