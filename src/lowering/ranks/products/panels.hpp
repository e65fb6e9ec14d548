// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/parting/axis_split.hpp"

#include <cstddef>
#include <optional>
#include <span>

/// How the elements of the rows that a product combines are cut into panels, which travel one after the other. Pure.
namespace skelrt::detail
{

/// Panels of so many elements each; the last may have fewer.
struct panel_cut {
    std::size_t depth = 0, width = 1;

    std::size_t count() const noexcept { return (depth + width - 1) / width; }
    position_run run(std::size_t panel) const noexcept
    {
        const std::size_t first = panel * width;
        return {first, depth - first < width ? depth - first : width};
    }
};

/// How one operand lies to the panels: which axis of its container they cut, if they do, and who holds what of the
/// other. `group`: so many positions of that a rank needs; `scattered`: not one behind the other.
struct panel_source {
    std::optional<axis_split> of_k, of_rows;
    std::size_t group = 0;
    bool scattered = false;
};

/// Ranks that hold some of so many positions in a row, at most.
std::size_t most_owners(const axis_split& a, std::size_t positions) noexcept;

/// Panels as deep as products on cores go through at once; where operands lie in blocks, such that these end with a
/// panel, or nearly; and so few that the messages of a call can be told apart.
panel_cut cut_panels(std::size_t depth, std::span<const panel_source> operands) noexcept;

} // namespace skelrt::detail
