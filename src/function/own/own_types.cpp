// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/own/own_types.hpp"

#include "src/function/kept_text.hpp"
#include "src/function/shared.hpp"

#include <skelrt/algorithms/detail/own_function.hpp>

#include <algorithm>

namespace skelrt::detail
{

const std::vector<own_type>& own_types()
{
    static const std::vector<own_type> all{
        {"skelrt::by_key", "headed", 2, {{"T0", "value"}, {"T1", "head"}}},
        {"skelrt", "indexed", 1, {{"T0", "value"}, {"unsigned long", "index"}}},
        {"skelrt", "minmax_result", 1, {{"T0", "min"}, {"T0", "max"}}},
        {"skelrt::one_pass", "values2", 2, {{"T0", "v0"}, {"T1", "v1"}}},
        {"skelrt::one_pass", "values3", 3, {{"T0", "v0"}, {"T1", "v1"}, {"T2", "v2"}}},
        {"skelrt::one_pass", "values4", 4, {{"T0", "v0"}, {"T1", "v1"}, {"T2", "v2"}, {"T3", "v3"}}},
        {"skelrt::one_pass", "values5", 5, {{"T0", "v0"}, {"T1", "v1"}, {"T2", "v2"}, {"T3", "v3"}, {"T4", "v4"}}},
        {"skelrt::one_pass",
         "values6",
         6,
         {{"T0", "v0"}, {"T1", "v1"}, {"T2", "v2"}, {"T3", "v3"}, {"T4", "v4"}, {"T5", "v5"}}},
        {"skelrt", "moments", 0, {{"unsigned long", "count"}, {"double", "mean"}, {"double", "m2"}}},
    };
    return all;
}

const own_type* find_own_type(std::string_view qualifier, std::string_view name)
{
    const bool short_form = qualifier == "sk" || qualifier.starts_with("sk::");
    const std::string scope = short_form ? "skelrt" + std::string(qualifier.substr(2)) : std::string(qualifier);
    const auto found =
        std::ranges::find_if(own_types(), [&](const own_type& t) { return t.scope == scope && t.name == name; });
    return found == own_types().end() ? nullptr : &*found;
}

bool names_own_type(std::span<const token> tokens)
{
    return std::ranges::any_of(tokens, [](const token& t) {
        return std::ranges::any_of(own_types(), [&](const own_type& own) { return t.is(own.name); });
    });
}

std::string cuda_own_types()
{
    std::string text;
    for (const own_type& t : own_types()) {
        text += "namespace " + std::string(t.scope) + " { ";
        for (unsigned k = 0; k < t.arguments; ++k)
            text += (k == 0 ? "template <class T" : ", class T") + std::to_string(k);
        text += (t.arguments > 0 ? "> struct " : "struct ") + std::string(t.name) + " {";
        for (const own_member& m : t.members) text += " " + std::string(m.type) + " " + std::string(m.name) + ";";
        text += " }; }\n";
    }
    return text;
}

bool is_headed(std::string_view type) { return type.starts_with("skelrt::by_key::headed<"); }

const char* text_with_types(std::string_view text, std::initializer_list<std::string_view> types)
{
    std::string whole;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '$') whole += named_type(types.begin()[text[++i] - '0']);
        else whole += text[i];
    }
    return kept_text(whole);
}

} // namespace skelrt::detail
