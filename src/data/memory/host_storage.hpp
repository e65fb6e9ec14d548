// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/faults/fault_state.hpp"
#include "src/data/faults/unread.hpp"
#include "src/data/faults/use_history.hpp"
#include "src/data/memory/memory.hpp"
#include "src/data/parting/known_copies.hpp"

#include <skelrt/detail/storage.hpp>

#include <atomic>
#include <cstdint>
#include <memory>

namespace skelrt::detail
{

struct held_part;
class part_copies;

/// A storage with what only the library needs to know.
struct host_storage : storage {
    memory_block memory;
    bool borrowed_pinned = false;
    std::atomic<std::uint32_t> held_by_calls{0};  ///< of the references, those of calls in flight, and of ended ones
    bool just_taken = false;                      ///< from those that were kept; no task knows it since
    bool may_be_unwritten = false;                ///< SKELRT_CHECK=unwritten: some of it holds the pattern
    std::unique_ptr<use_history> uses;            ///< SKELRT_CHECK=races
    std::unique_ptr<known_copies> copies;         ///< that ranks have of the content; null: none
    std::shared_ptr<part_copies> copies_of_parts; ///< the same that tasks of theirs read; null: none
    shared_windows foreign; ///< faults of elements that other ranks hold (faults/foreign_faults.hpp); null: none
    /// Set when the runtime ended before anybody looked at a failed call's data. Counts only while no task knows that.
    noted_error left_fault;
};

/// Uninitialised memory for a part of a container, or for all of one that every rank holds. Throws as create_storage().
storage_ref create_held(const held_part& p, std::uint32_t element_size, bool whole_rows);
/// The same for the result of a call: as create_result().
storage* create_held_result(const held_part& p, std::uint32_t element_size, bool whole_rows);
/// For a result of the same shape, cut in the same way.
storage_ref create_like(const storage& s);

inline host_storage& host_part(storage& s) noexcept { return static_cast<host_storage&>(s); }

/// Copies of the content on other ranks are old from now on. All ranks say so at the same place of their calls.
inline void content_changes(storage& s) noexcept
{
    host_part(s).copies.reset();
    host_part(s).copies_of_parts.reset();
}

} // namespace skelrt::detail
