// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/recipe.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

/// Operators of users' that functions of ours call. In the text of ours a word stands for each operator; translators
/// write there the names that operators have among their functions.
namespace skelrt::detail
{

struct own_operator {
    const function_source* source;  ///< lives as long as the process
    std::string_view first, second; ///< the types that it is called with
    std::string_view result;        ///< what it gives
};

/// What a function calls, in the order of its words; nothing if it is not ours.
std::vector<const own_operator*> operators_of(const function_source& f);

/// The code of a function, with name(k) in the place of its k-th word.
std::string calling_by_name(std::string code, const function_source& f,
                            const std::function<std::string(std::size_t)>& name);

/// A new word for an operator that combines two values of a type; the source lives as long as the process.
std::string word_for(const function_source& op, std::string_view type);

/// All functions of a recipe, as often as they stand in it; operators in front of the function that calls them.
std::vector<const function_source*> functions_in(const recipe& what);

} // namespace skelrt::detail
