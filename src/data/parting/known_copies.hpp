// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/parting/axis_split.hpp"

#include <skelrt/detail/storage.hpp>

#include <vector>

namespace skelrt::detail
{

/// A rectangle of a container, or, if it is none, of the container as one row.
struct copied_region {
    bool as_one_row = false;
    position_run rows, cols;
    friend bool operator==(const copied_region&, const copied_region&) = default;
};

/// What ranks have of a container's content beside their parts: what calls brought there. It serves later calls until
/// the content changes. All ranks know it of all, from the order of the calls alone; but for `here`.
struct known_copies {
    std::vector<copied_region> of_rank;
    storage_ref here; ///< this rank's; null: it has none, or holds these elements anyhow

    bool has(unsigned rank, const copied_region& wanted) const noexcept { return of_rank[rank] == wanted; }
};

} // namespace skelrt::detail
