// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/likely_cost.hpp"

#include "src/function/own/own_operators.hpp"
#include "src/function/tokens.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <vector>

namespace skelrt::detail
{

namespace
{

// Nanoseconds on a core of today, in loops that a compiler has vectorised where it can.
constexpr double operator_ns = 0.1, access_ns = 0.1, division_ns = 1, root_ns = 2, call_ns = 0.3,
                 transcendental_ns = 15;
/// A position of a wavefront waits for the one before.
constexpr double wavefront_ns = 4;
/// Rounds of a loop, of which nobody knows how many there are.
constexpr double rounds = 8;

template <std::size_t N>
bool is_among(std::string_view text, const std::array<std::string_view, N>& all)
{
    return std::ranges::find(all, text) != all.end();
}

bool is_transcendental(std::string_view name)
{
    constexpr std::array<std::string_view, 29> all{
        "acos",  "acosh", "asin",   "asinh", "atan", "atan2", "atanh", "cbrt",   "cos",   "cosh",
        "erf",   "erfc",  "exp",    "exp10", "exp2", "expm1", "fmod",  "lgamma", "log",   "log10",
        "log1p", "log2",  "normal", "pow",   "sin",  "sinh",  "tan",   "tanh",   "tgamma"};
    return is_among(name, all) || (name.ends_with('f') && is_among(name.substr(0, name.size() - 1), all));
}

bool is_loop(const token& t) { return t.is("for") || t.is("while"); }

/// What stands in front of a parenthesis and calls nothing.
bool is_no_function(std::string_view name)
{
    constexpr std::array<std::string_view, 13> all{"char",   "do",    "double", "float",  "if",     "int",     "long",
                                                   "return", "short", "size_t", "sizeof", "switch", "unsigned"};
    return is_among(name, all);
}

double called_ns(std::string_view name)
{
    if (is_transcendental(name)) return transcendental_ns;
    if (name == "sqrt" || name == "sqrtf" || name == "hypot" || name == "hypotf") return root_ns;
    return is_no_function(name) ? operator_ns : call_ns;
}

bool is_operator(const token& t)
{
    constexpr std::array<std::string_view, 20> all{
        "+", "-", "*", "<", ">", "?", "&", "|", "^", "<=", ">=", "==", "!=", "&&", "||", "<<", ">>", "+=", "-=", "*="};
    return t.kind == token_kind::punctuation && is_among(t.text, all);
}

/// The token that the function's body begins with.
std::size_t begin_of_body(const std::vector<token>& tokens)
{
    return static_cast<std::size_t>(std::ranges::find_if(tokens, [](const token& t) { return t.is("{"); }) -
                                    tokens.begin());
}

/// Of hoods and matrices, in parentheses.
std::set<std::string_view> parameter_names(const std::vector<token>& tokens)
{
    std::set<std::string_view> names;
    for (std::size_t i = 1, end = begin_of_body(tokens); i < end; ++i)
        if ((tokens[i].is(",") || tokens[i].is(")")) && tokens[i - 1].is_identifier()) names.insert(tokens[i - 1].text);
    return names;
}

/// Behind the parenthesis that token `open` is.
std::size_t behind_parenthesis(const std::vector<token>& tokens, std::size_t open)
{
    std::size_t i = open + 1;
    for (int depth = 1; i < tokens.size() && depth > 0; ++i) depth += opens(tokens[i]) ? 1 : closes(tokens[i]) ? -1 : 0;
    return i;
}

/// Places that are known as the function is compiled cost nothing to find.
bool are_constants(const std::vector<token>& tokens, std::size_t begin, std::size_t end)
{
    return std::all_of(
        tokens.begin() + static_cast<std::ptrdiff_t>(begin), tokens.begin() + static_cast<std::ptrdiff_t>(end),
        [](const token& t) { return t.kind == token_kind::number || t.is("-") || t.is(",") || t.is(")"); });
}

/// Of a number.
bool is_sign(const std::vector<token>& tokens, std::size_t at)
{
    if (!tokens[at].is("-") || at + 1 >= tokens.size() || tokens[at + 1].kind != token_kind::number || at == 0)
        return false;
    const token& before = tokens[at - 1];
    return before.kind == token_kind::punctuation && !closes(before);
}

/// A whole number behind token `at`; none: something else is there.
std::optional<double> number_behind(const std::vector<token>& tokens, std::size_t at)
{
    const bool negative = at + 1 < tokens.size() && tokens[at + 1].is("-");
    const std::size_t digits = at + (negative ? 2 : 1);
    if (digits >= tokens.size() || tokens[digits].kind != token_kind::number) return {};
    int value = 0;
    const std::string_view text = tokens[digits].text;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc{} || end != text.data() + text.size()) return {};
    return negative ? -value : value;
}

/// Of a loop with this head, if that counts from one number to another.
double rounds_of(const std::vector<token>& tokens, std::size_t begin, std::size_t end)
{
    std::optional<double> first, last;
    for (std::size_t i = begin; i < end; ++i) {
        if (tokens[i].is("=") && !first) first = number_behind(tokens, i);
        if (tokens[i].is("<") || tokens[i].is("<=")) last = number_behind(tokens, i);
        if (tokens[i].is("<=") && last) *last += 1;
    }
    return first && last ? std::max(*last - *first, 0.0) : rounds;
}

/// Behind the statement that begins there.
std::size_t behind_statement(const std::vector<token>& tokens, std::size_t begin)
{
    if (begin < tokens.size() && tokens[begin].is("{")) return behind_parenthesis(tokens, begin);
    std::size_t i = begin;
    for (int depth = 0; i < tokens.size() && !(depth == 0 && tokens[i].is(";")); ++i)
        depth += opens(tokens[i]) ? 1 : closes(tokens[i]) ? -1 : 0;
    return std::min(i + 1, tokens.size());
}

double ns_between(const std::vector<token>& tokens, const std::set<std::string_view>& parameters, std::size_t begin,
                  std::size_t end)
{
    double ns = 0;
    for (std::size_t i = begin; i < end; ++i) {
        const token& t = tokens[i];
        const bool called = t.is_identifier() && i + 1 < end && tokens[i + 1].is("(");
        if (called && is_loop(t)) {
            const std::size_t body = behind_parenthesis(tokens, i + 1), behind = behind_statement(tokens, body);
            ns += rounds_of(tokens, i + 1, body) * ns_between(tokens, parameters, i + 2, behind);
            i = behind - 1;
        } else if (called && parameters.contains(t.text)) {
            ns += access_ns;
            const std::size_t behind = behind_parenthesis(tokens, i + 1);
            if (are_constants(tokens, i + 2, behind)) i = behind - 1;
        } else if (called) ns += called_ns(t.text);
        else if (t.is("/") || t.is("%")) ns += division_ns;
        else if (is_operator(t) && !is_sign(tokens, i)) ns += operator_ns;
    }
    return ns;
}

double text_ns(std::string_view text)
{
    const std::vector<token> tokens = tokenize(text);
    return ns_between(tokens, parameter_names(tokens), begin_of_body(tokens), tokens.size());
}

} // namespace

double likely_element_ns(const recipe& r)
{
    double ns = r.kind == skeleton::wavefront ? wavefront_ns : 0;
    for (const function_source* f : functions_in(r)) ns += text_ns(f->text);
    return ns;
}

} // namespace skelrt::detail
