// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/blas/plain_product.hpp"

#include "src/function/shared.hpp"
#include "src/function/tokens.hpp"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

namespace skelrt::detail::blas
{
namespace
{

/// Whether a function's text is "(T a, T b) { return a op b; }", or with b in front, where T is auto or the type. Both
/// are the language's own words, so nothing around the text can change what it means.
bool reads_as(std::string_view text, std::string_view op, std::string_view type)
{
    const std::vector<token> t = tokenize(text);
    constexpr std::size_t count = 14;
    if (t.size() != count) return false;
    const auto has_type = [&](const token& of) { return of.is("auto") || of.is(type); };
    const std::string_view a = t[2].text, b = t[5].text;
    const auto follow = [&](std::size_t first, std::initializer_list<std::string_view> words) {
        return std::ranges::all_of(words, [&](std::string_view word) { return t[first++].is(word); });
    };
    return a != b && has_type(t[1]) && has_type(t[4]) && t[2].is_identifier() && t[5].is_identifier() && t[0].is("(") &&
           t[3].is(",") &&
           (follow(6, {")", "{", "return", a, op, b, ";", "}"}) || follow(6, {")", "{", "return", b, op, a, ";", "}"}));
}

/// The same; each text is read once a thread. Texts live as long as the process.
bool is_operator(const function_source& f, std::string_view op, std::string_view type)
{
    using question = std::tuple<const char*, std::string_view, std::string_view>;
    static thread_local std::map<question, bool> known;
    const char* const text = code_of(f);
    const bool floats = type == "float";
    const question asked{text, op, floats ? "float" : "double"};
    const auto found = known.find(asked);
    return found != known.end() ? found->second : known.emplace(asked, reads_as(text, op, type)).first->second;
}

bool is_side(const recipe& what, const argument& a)
{
    if (a.kind != argument_kind::slot) return false;
    const slot_type& s = what.slots[a.which];
    return (s.kind == slot_kind::row_vec || s.kind == slot_kind::column_vec) && s.type == what.result;
}

} // namespace

bool is_plain_product(const recipe& what)
{
    if (what.kind != skeleton::all_pairs || !is_floating(what.result)) return false;
    if (what.calls.size() != 1 || what.slots.size() != 3 || what.combine == nullptr) return false;
    const function_call& zip = what.calls[0];
    const auto sides = [&] { return std::ranges::all_of(zip.arguments, [&](auto& a) { return is_side(what, a); }); };
    return zip.result == what.result && zip.arguments.size() == 2 && sides() &&
           is_operator(*zip.function, "*", what.result) && is_operator(*what.combine, "+", what.result);
}

} // namespace skelrt::detail::blas
