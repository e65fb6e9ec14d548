// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/parting/held.hpp"

/// Storages that the program refers to no more, kept with their tiles, handles and copies on devices for results of the
/// same shape. To give one up means to wait for the tasks that still read it; a result that takes it over only runs
/// after them. Each has one reference of its being kept. Thread-safe.
namespace skelrt::detail
{

/// Bytes: a page. Fresh pages cost more than to find a storage here, from one on.
inline constexpr std::size_t worth_keeping = 4096;

/// Whether there would be memory for so many bytes that nobody refers to.
bool may_be_kept(std::size_t bytes) noexcept;

/// Takes the storage, with the room that it was cut from, unless it is small and no scalar, not known to StarPU,
/// borrowed, cut as its user wished, marked by a fault, or more than we like to keep.
bool keep_storage(storage* s) noexcept;

/// Keeps a storage that nobody but calls will hold, once the caller has let it go: a later result of its shape waits
/// for them. A chain x = f(x) then needs two storages, and one more for each device, however far ahead of its tasks the
/// program is: fresh ones cost more, to clear, to pin, to allocate on devices.
bool keep_while_calls_use(storage& s) noexcept;

/// One of that shape, or null, and if `tile_elements` is not 0, with tiles of so many. Its contents are those of
/// somebody else.
storage* take_kept_storage(const held_part& p, std::uint32_t element_size, bool whole_rows,
                           std::size_t tile_elements = 0) noexcept;

/// Gives a storage that was just taken the memory and tiles of a kept one of its shape whose tiles have so many
/// elements. False: there is none. Under the order's lock.
bool exchange_for_kept(storage& s, std::size_t tile_elements) noexcept;

/// Gives up a storage that nobody uses and whose memory suits one of that shape, which is to be made: pages that were
/// touched cost less than fresh ones. One of the shape, or of others if more than a few are left to their results.
void give_memory_of_kept(const held_part& p, std::uint32_t element_size, bool whole_rows) noexcept;

/// As take_kept_storage(), for one element: what solvers compute in each round. Tasks know it, so it is nothing for a
/// call that may run on the calling thread.
storage* take_kept_scalar(std::uint32_t element_size) noexcept;

/// Frees all of them. Before the runtime ends, and when memory is short.
void drop_kept_storages() noexcept;

/// Frees a storage, kept or not.
void destroy_now(storage* s) noexcept;

} // namespace skelrt::detail
