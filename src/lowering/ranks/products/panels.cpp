// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/products/panels.hpp"

#include "src/lowering/ranks/needs/tags.hpp"

#include <algorithm>

namespace skelrt::detail
{

namespace
{

constexpr std::size_t usual_width = 256; ///< a multiple of what codelets/cpu/pairs/all_pairs.cpp packs, or that itself

std::size_t divide_up(std::size_t a, std::size_t b) noexcept { return (a + b - 1) / b; }

/// Messages between two ranks for one panel of an operand, at most.
std::size_t most_of_panel(const panel_source& s, std::size_t width) noexcept
{
    const std::size_t along = s.of_k ? most_owners(*s.of_k, width) : 1;
    const std::size_t across = !s.of_rows ? 1 : s.scattered ? s.of_rows->parts : most_owners(*s.of_rows, s.group);
    return along * across;
}

std::size_t most_of_call(std::size_t depth, std::size_t width, std::span<const panel_source> operands) noexcept
{
    std::size_t n = 0;
    for (const panel_source& s : operands) n += most_of_panel(s, width);
    return n * panel_cut{depth, width}.count();
}

/// So that the longest block has so many panels of one width.
std::size_t fitted(std::size_t width, std::size_t depth, std::span<const panel_source> operands) noexcept
{
    const auto in_blocks = [](const panel_source& s) { return s.of_k && s.of_k->parts > 1 && s.of_k->block == 0; };
    const auto known = std::ranges::find_if(operands, in_blocks);
    const std::size_t block = known == operands.end() ? depth : divide_up(depth, known->of_k->parts);
    return block < width ? width : divide_up(block, divide_up(block, width));
}

} // namespace

std::size_t most_owners(const axis_split& a, std::size_t positions) noexcept
{
    const std::size_t shortest = a.block > 0 ? a.block : a.extent / a.parts;
    return shortest == 0 ? a.parts : std::min<std::size_t>(a.parts, positions / shortest + 2);
}

panel_cut cut_panels(std::size_t depth, std::span<const panel_source> operands) noexcept
{
    std::size_t width = std::min(usual_width, depth);
    while (width < depth && most_of_call(depth, width, operands) > most_messages) width *= 2;
    return {depth, fitted(std::min(width, depth), depth, operands)};
}

} // namespace skelrt::detail
