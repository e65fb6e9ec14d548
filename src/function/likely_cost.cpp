// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/likely_cost.hpp"

#include "src/function/own/own_operators.hpp"
#include "src/function/tokens.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace skelrt::detail
{

namespace
{

// Nanoseconds on a core of today, in loops that a compiler has vectorised where it can.
constexpr double operator_ns = 0.1, division_ns = 1, root_ns = 2, call_ns = 0.3, transcendental_ns = 15;
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

double text_ns(std::string_view text)
{
    const std::vector<token> tokens = tokenize(text);
    double ns = 0, factor = 1;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const token& t = tokens[i];
        const bool called = t.is_identifier() && i + 1 < tokens.size() && tokens[i + 1].is("(");
        if (is_loop(t)) factor *= rounds;
        else if (called) ns += called_ns(t.text);
        else if (t.is("/") || t.is("%")) ns += division_ns;
        else if (is_operator(t)) ns += operator_ns;
    }
    return ns * factor;
}

} // namespace

double likely_element_ns(const recipe& r)
{
    double ns = r.kind == skeleton::wavefront ? wavefront_ns : 0;
    for (const function_source* f : functions_in(r)) ns += text_ns(f->text);
    return ns;
}

} // namespace skelrt::detail
