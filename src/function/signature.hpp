// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/function/tokens.hpp"

#include <skelrt/detail/recipe.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Types as the host's compiler knows them, in place of how the user spelt them.
namespace skelrt::detail
{

/// Whether it is a built-in number: one that registers hold, and that can be copied without knowing more of it.
bool is_plain_number(std::string_view type);

/// Where a parameter's type stands among the tokens of a function: [begin, end), without its name.
struct spelt_type {
    std::size_t begin, end;
};

/// The head of a lambda's tail: "(float a, const T& b) noexcept -> T {".
struct lambda_head {
    std::vector<spelt_type> parameters; ///< those with a type in front of an optional name, and nothing behind it
    std::size_t close = 0;              ///< behind the parameter list
    std::size_t body = 0;               ///< the opening brace
    spelt_type result{0, 0};            ///< behind an arrow; empty: not spelt
    bool plain = false;                 ///< whether all parameters could be told apart
};
lambda_head head_of(const std::vector<token>& tokens);

/// What a name that SKELRT_SHARED does not define means where the function stands.
struct bound_name {
    std::string name;
    std::string type;  ///< an alias of it, or the type of the value; empty: hidden
    std::string value; ///< of a constant; empty: a type
    bool hidden() const { return type.empty(); }
};

/// The names among the tokens of a function that are aliases or template parameters: what the parameters and the result
/// were called against what the host's compiler says they are; and what is known of the template around the function.
/// Hidden ones stand for something that the host's compiler does not tell: no SKELRT_SHARED may be taken in their
/// place.
std::vector<bound_name> bound_names(const function_source& f, const std::vector<token>& tokens);

} // namespace skelrt::detail
