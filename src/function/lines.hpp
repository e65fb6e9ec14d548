// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/recipe.hpp>

#include <cstddef>
#include <string>
#include <vector>

/// From the one-line text that a macro keeps of a user function back to the lines that the user wrote.
/// All of it reads the user's source file, so it belongs into the making of error messages and nowhere else.
namespace skelrt::detail
{

/// The true line of each token of code_of(source), as tokenize() gives them. `source.text` is searched in
/// `source.file`, white space and comments do not matter, and of several places the one nearest to `source.line`
/// counts. When the file cannot be read or does not hold the text, every token is on `source.line`.
std::vector<int> token_lines(const function_source& source);

/// "file:line" of the character at `column` (from 0) of the one-line text that code_of() gives.
std::string locate(const function_source& source, std::size_t column);

/// The text with line breaks where the user has them, and the line on which it starts.
struct relined_text {
    std::string text;
    int line;
};
relined_text relined(const function_source& source);

} // namespace skelrt::detail
