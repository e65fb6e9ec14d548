// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/caller.hpp>

#include <cstddef>

namespace skelrt::detail
{

class peers;
class running;

/// The ranks that a call of the calling thread goes over; null: this one alone, because it is the only one, or because
/// an item of a farm makes the call.
peers* other_ranks(const running* r) noexcept;

/// Throws error inside items, for what all ranks do together. Nothing without other ranks.
void refuse_in_items(const running& r, const char* name, caller where);
/// Throws error inside items, for a container that the program has dealt out to the ranks: here is a part of it.
[[noreturn]] void throw_dealt_in_item(const char* name, caller where, std::size_t rows, std::size_t cols);
/// The ranks that hold a container of this shape, for what all do together. Throws error inside items, and where their
/// runtime has ended.
peers& ranks_of_dealt(const char* name, caller where, std::size_t rows, std::size_t cols);

} // namespace skelrt::detail
