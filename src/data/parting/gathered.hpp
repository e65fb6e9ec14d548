// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/parting/element_grid.hpp"

#include <skelrt/detail/storage.hpp>

#include <cstddef>

namespace skelrt::detail
{

class peers;

/// Some of the rows and columns of a container that is dealt out, brought together in host memory.
struct gathered {
    storage& of;
    element_grid elements;
    element_grid room;           ///< the rows and columns that `to` has memory for
    std::byte* to = nullptr;     ///< null: this rank does not see them
    bool holds_own_part = false; ///< the memory is the container's own: this rank's elements are there
};

/// Each rank's elements to all who see them, over the value plane. `seen_by`: a rank, or all_ranks.
void gather(peers& others, const gathered& g, int seen_by);
/// What was written there is kept by who holds it. Sends nothing.
void keep_own_elements(const gathered& g) noexcept;

} // namespace skelrt::detail
