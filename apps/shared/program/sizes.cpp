// SPDX-License-Identifier: BSD-3-Clause
#include "sizes.hpp"

#include "error.hpp"
#include "text.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace apps
{
namespace
{

bool read_size(std::string_view text, std::size_t largest, std::size_t& value)
{
    const auto digits = trim(text);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc{} && end == digits.data() + digits.size() && value >= 1 && value <= largest;
}

} // namespace

std::vector<std::size_t> parse_sizes(const std::string& text, const std::string& option, std::size_t count,
                                     std::size_t largest)
{
    std::vector<std::size_t> result;
    bool good = true;
    for (std::string_view rest = text; good;) {
        const auto comma = std::min(rest.find(','), rest.size());
        good = read_size(rest.substr(0, comma), largest, result.emplace_back());
        if (comma == rest.size()) break;
        rest.remove_prefix(comma + 1);
    }
    if (good && result.size() == 1) result.resize(count, result.front());
    if (!good || result.size() != count)
        throw input_error(
            fmt::format("{} {}: it is one number or {} with commas, each 1 to {}", option, text, count, largest));
    return result;
}

std::string sizes_text(const std::vector<std::size_t>& sizes)
{
    const bool same = std::ranges::count(sizes, sizes.front()) == std::ssize(sizes);
    return same ? std::to_string(sizes.front()) : fmt::format("{}", fmt::join(sizes, ","));
}

} // namespace apps
