// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/tokens.hpp"

#include <skelrt/capture.hpp>

#include <deque>
#include <mutex>
#include <string>

namespace skelrt::detail
{
namespace
{

/// The offset of the bracket that closes the text's first.
std::size_t end_of_parameters(const std::vector<token>& all)
{
    int depth = 0;
    for (const token& t : all) {
        if (t.is("(") || t.is("[") || t.is("{")) ++depth;
        if ((t.is(")") || t.is("]") || t.is("}")) && --depth == 0) return t.offset;
    }
    return std::string::npos;
}

/// Texts that live as long as the process.
const char* keep(std::string text)
{
    static std::mutex guard;
    static auto& all = *new std::deque<std::string>;
    std::lock_guard lock(guard);
    return all.emplace_back(std::move(text)).c_str();
}

} // namespace

const char* text_with_values(const char* text, const char* names)
{
    const std::vector<token> tokens = tokenize(text);
    const std::size_t end = end_of_parameters(tokens);
    if (tokens.empty() || !tokens[0].is("(") || end == std::string::npos) return text; // whoever compiles it complains
    std::string parameters;
    const bool first = tokens[1].is(")") || (tokens[1].is("void") && tokens[2].is(")"));
    for (const token& t : tokenize(names))
        if (t.is_identifier())
            parameters += (first && parameters.empty() ? "const auto " : ", const auto ") + std::string(t.text);
    std::string all = text;
    if (first && tokens[1].is("void")) all.replace(tokens[1].offset, end - tokens[1].offset, parameters);
    else all.insert(end, parameters);
    return keep(std::move(all));
}

} // namespace skelrt::detail
