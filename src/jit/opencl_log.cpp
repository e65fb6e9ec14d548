// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/opencl_log.hpp"

#include <charconv>
#include <vector>

namespace skelrt::detail::opencl
{
namespace
{

constexpr std::string_view directive = "#line ";

std::vector<std::string_view> lines_of(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

/// A number at the front of `text`, which is then without it; -1 if there is none.
int take_number(std::string_view& text)
{
    int value = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || value < 0) return -1;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

struct place {
    std::string file;
    int line = 0;
};

/// What the directives say of each physical line.
std::vector<place> places_in(std::string_view source)
{
    std::vector<place> result{{}}; // compilers count from 1
    place now{"skelrt-generated", 1};
    for (auto text : lines_of(source)) {
        result.push_back(now);
        ++now.line;
        if (!text.starts_with(directive)) continue;
        text.remove_prefix(directive.size());
        now.line = take_number(text);
        const auto open = text.find('"'), close = text.rfind('"');
        if (open < close && close != std::string_view::npos) {
            now.file.clear();
            for (auto i = open + 1; i < close; ++i) now.file += text[i] == '\\' ? text[++i] : text[i];
        }
    }
    return result;
}

/// The physical line in "<kernel>:7:10: error: ..." or "/tmp/x.cl:7:10: note: ...", and the text behind the column.
bool parse_place(std::string_view line, int& number, std::string_view& rest)
{
    for (auto colon = line.find(':'); colon != std::string_view::npos; colon = line.find(':', colon + 1)) {
        rest = line.substr(colon + 1);
        number = take_number(rest);
        if (number <= 0 || !rest.starts_with(':')) continue;
        rest.remove_prefix(1);
        if (take_number(rest) >= 0 && rest.starts_with(": ")) return true;
    }
    return false;
}

} // namespace

std::string without_line_directives(std::string_view source)
{
    std::string result;
    for (const auto line : lines_of(source)) {
        if (!line.starts_with(directive)) result += line;
        result += '\n';
    }
    return result;
}

std::string readable_log(std::string_view source, std::string_view log)
{
    const auto places = places_in(source);
    std::string result;
    for (const auto line : lines_of(log)) {
        int number = 0;
        std::string_view rest;
        if (!result.empty()) result += '\n';
        if (parse_place(line, number, rest) && static_cast<std::size_t>(number) < places.size()) {
            const auto& where = places[static_cast<std::size_t>(number)];
            result += where.file + ":" + std::to_string(where.line);
            result += rest;
        } else {
            result += line;
        }
    }
    return result;
}

} // namespace skelrt::detail::opencl
