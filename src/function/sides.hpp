// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/recipe.hpp>

#include <cstddef>
#include <vector>

/// The two sides of all_pairs: the last function call of its recipe zips them, the first argument is the left one.
namespace skelrt::detail
{

/// The function calls that a side needs, in order, and the slots that these read.
struct side_parts {
    std::vector<std::size_t> calls, slots;
};

inline void add_parts(const recipe& what, const argument& a, side_parts& parts)
{
    if (a.kind == argument_kind::slot) parts.slots.push_back(a.which);
    if (a.kind != argument_kind::call) return;
    for (const argument& b : what.calls[a.which].arguments) add_parts(what, b, parts);
    parts.calls.push_back(a.which);
}

inline side_parts parts_of(const recipe& what, const argument& side)
{
    side_parts parts;
    add_parts(what, side, parts);
    return parts;
}

} // namespace skelrt::detail
