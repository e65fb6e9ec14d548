// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

/// Sizes on the command line.
namespace apps
{

/// "64" or "64,32,16": `count` numbers with commas, each 1 to `largest`; one number stands for all of them. Throws
/// input_error, with the name of the option in front.
std::vector<std::size_t> parse_sizes(const std::string& text, const std::string& option, std::size_t count,
                                     std::size_t largest);

/// The shortest text that means them: "64,32,16", or "64" where all are the same.
std::string sizes_text(const std::vector<std::size_t>& sizes);

template <std::size_t Count>
std::array<std::size_t, Count> parse_sizes(const std::string& text, const std::string& option, std::size_t largest)
{
    const auto values = parse_sizes(text, option, Count, largest);
    std::array<std::size_t, Count> result{};
    for (std::size_t i = 0; i < Count; ++i) result[i] = values[i];
    return result;
}

} // namespace apps
