// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/recipe.hpp>

#include <string>
#include <string_view>
#include <vector>

/// Operators of users' that functions of ours call. In the text of ours a word stands for the operator; each translator
/// writes there the name that the operator has among its functions.
namespace skelrt::detail
{

struct own_operator {
    const function_source* source;  ///< lives as long as the process
    std::string_view first, second; ///< the types that it is called with; it gives a bool
};

/// What a function calls; null: nothing, or it is not ours.
const own_operator* operator_of(const function_source& f);

/// The code of a function, with this name in the place of a word of ours.
std::string calling_by_name(std::string code, const function_source& f, std::string_view name);

/// All functions of a recipe, as often as they stand in it; an operator in front of the function that calls it.
std::vector<const function_source*> functions_in(const recipe& what);

} // namespace skelrt::detail
