// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Bits of text that readers of files and options need.
namespace apps
{

/// Where a reader stands, for messages: "water.gro:12".
struct text_place {
    const std::string& file;
    std::size_t line;
    [[noreturn]] void fail(const std::string& what) const;
};

std::string_view trim(std::string_view text);
std::vector<std::string_view> words(std::string_view text);

/// A finite number that fills all of `text`; otherwise an input_error that says `what` it should have been.
double number(std::string_view text, std::string_view what, const text_place& place);

} // namespace apps
