// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

/// A small C++ tokeniser: enough to find names and to rewrite expressions, no more.
namespace skelrt::detail
{

enum class token_kind : std::uint8_t { identifier, number, string, character, punctuation };

struct token {
    token_kind kind;
    std::string_view text; ///< a part of the tokenised text, which must outlive the token
    std::size_t offset;    ///< of its first character

    bool is(std::string_view other) const { return text == other; }
    bool is_identifier() const { return kind == token_kind::identifier; }
};

/// Splits `text` into tokens; white space, comments and line continuations vanish. Never fails: what is no C++ token
/// becomes a punctuation of one character. Keywords are identifiers. Linear in the length of the text.
std::vector<token> tokenize(std::string_view text);

inline bool opens(const token& t) { return t.is("(") || t.is("[") || t.is("{"); }
inline bool closes(const token& t) { return t.is(")") || t.is("]") || t.is("}"); }
inline bool any_of(std::string_view what, std::initializer_list<std::string_view> list)
{
    return std::ranges::find(list, what) != list.end();
}

} // namespace skelrt::detail
