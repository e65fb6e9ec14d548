// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/function/tokens.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// Whether all positions can do the statements of a function together.
namespace skelrt::detail
{

/// What a name of the function's text stands for.
enum class name_role : std::uint8_t {
    hood,
    container, ///< a matrix or a vector of numbers that all positions read
    patch,     ///< a number of each position
    one,       ///< a number that all positions share
};

/// Tokens from begin to end - 1.
struct token_stretch {
    std::size_t begin, end;
};

struct loop_text {
    std::size_t begin, end; ///< from its `for` on
    std::string_view variable;
};

/// What there is to change in such a body, and what its names stand for.
struct lockstep_body {
    std::map<std::string_view, name_role> names;
    std::vector<loop_text> loops;
    std::vector<token_stretch> types; ///< that become those of patches
    bool down = false;                ///< innermost loops go from row to row of hoods, not along their columns

    bool is_patch(std::string_view name) const
    {
        const auto found = names.find(name);
        return found != names.end() && found->second == name_role::patch;
    }
    bool is_innermost(const loop_text& loop) const;
};

/// Of the body that begins with the brace at `begin`, where the parameters are `names`. Nothing: it has no loop, or a
/// statement that positions do not do together. Linear in the text, times the depth of what depends on what.
std::optional<lockstep_body> read_lockstep_body(std::span<const token> all, std::size_t begin,
                                                std::map<std::string_view, name_role> names);

} // namespace skelrt::detail
