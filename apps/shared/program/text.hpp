// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
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

/// Calls `body` with the words of each line of a file. Throws input_error if the file cannot be read.
void each_line(const std::filesystem::path& file,
               const std::function<void(const std::vector<std::string_view>&, const text_place&)>& body);

std::string_view trim(std::string_view text);
std::vector<std::string_view> words(std::string_view text);

/// A finite number that fills all of `text`; otherwise an input_error that says `what` it should have been.
double number(std::string_view text, std::string_view what, const text_place& place);

} // namespace apps
