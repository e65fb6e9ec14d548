// SPDX-License-Identifier: BSD-3-Clause
#include "text.hpp"

#include "error.hpp"

#include <charconv>
#include <cmath>
#include <fstream>

#include <fmt/format.h>

namespace apps
{
namespace
{

constexpr std::string_view blanks = " \t\r\v\f";

} // namespace

void text_place::fail(const std::string& what) const { throw input_error(fmt::format("{}:{}: {}", file, line, what)); }

std::string_view trim(std::string_view text)
{
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string_view> words(std::string_view text)
{
    std::vector<std::string_view> result;
    for (text = trim(text); !text.empty(); text = trim(text)) {
        const auto end = std::min(text.find_first_of(blanks), text.size());
        result.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return result;
}

double number(std::string_view text, std::string_view what, const text_place& place)
{
    auto digits = trim(text);
    if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-') digits.remove_prefix(1); // from_chars knows no plus
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size() || !std::isfinite(value))
        place.fail(fmt::format("{} should be a number, but is \"{}\"", what, trim(text)));
    return value;
}

void each_line(const std::filesystem::path& file,
               const std::function<void(const std::vector<std::string_view>&, const text_place&)>& body)
{
    std::ifstream in(file);
    const std::string name = file.string();
    if (!in || std::filesystem::is_directory(file)) throw input_error(fmt::format("{}: cannot be read", name));
    std::string text;
    for (std::size_t line = 1; std::getline(in, text); ++line) body(words(text), {name, line});
}

} // namespace apps
