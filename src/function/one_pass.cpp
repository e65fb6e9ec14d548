// SPDX-License-Identifier: BSD-3-Clause
#include <skelrt/detail/loops/one_pass.hpp>

#include "src/function/kept_text.hpp"
#include "src/function/own/own_operators.hpp"
#include "src/function/shared.hpp"

#include <fmt/format.h>

#include <string>

namespace skelrt::detail
{
namespace
{

std::string combined(const combined_member& m, std::size_t k)
{
    return fmt::format("b.v{0} = {1}(a.v{0}, b.v{0}); ", k, word_for(*m.op, m.type));
}

} // namespace

const char* text_that_collects(std::string_view whole, std::initializer_list<std::string_view> given,
                               std::initializer_list<std::string_view> members)
{
    const bool one_for_all = given.size() == 1;
    std::string parameters, body;
    for (std::size_t k = 0; k < given.size(); ++k)
        parameters += fmt::format("{}{} x{}", k == 0 ? "" : ", ", named_type(given.begin()[k]), k);
    for (std::size_t k = 0; k < members.size(); ++k) {
        const std::size_t from = one_for_all ? 0 : k;
        const std::string_view type = members.begin()[k];
        const std::string cast = type == given.begin()[from] ? "" : fmt::format("({})", named_type(type));
        body += fmt::format("all.v{} = {}x{}; ", k, cast, from);
    }
    return kept_text(fmt::format("({}) {{ {} all; {}return all; }}", parameters, named_type(whole), body));
}

const char* text_that_combines(std::string_view whole, std::initializer_list<combined_member> members)
{
    std::string body;
    for (std::size_t k = 0; k < members.size(); ++k) body += combined(members.begin()[k], k);
    return kept_text(fmt::format("({0} a, {0} b) {{ {1}return b; }}", named_type(whole), body));
}

const char* text_that_starts(std::string_view whole, std::initializer_list<combined_member> members)
{
    std::string body;
    for (std::size_t k = 0; k < members.size(); ++k)
        body += fmt::format("if ((which & {}) != 0) {}", 1U << k, combined(members.begin()[k], k));
    return kept_text(fmt::format("({0} a, unsigned which, {0} b) {{ {1}return b; }}", named_type(whole), body));
}

const char* text_that_picks(std::string_view whole, unsigned member)
{
    return kept_text(fmt::format("({} all) {{ return all.v{}; }}", named_type(whole), member));
}

} // namespace skelrt::detail
