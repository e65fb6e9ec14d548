// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/nvrtc.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

namespace skelrt::detail
{
namespace
{

/// One "file(line): error: text" of the log and the lines under it.
struct diagnostic {
    std::string_view file, line, text;
    std::vector<std::string_view> details;
};

std::vector<std::string_view> lines_of(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

/// The head of a diagnostic; file names may hold parentheses, so it is looked for from "): " backwards.
std::optional<diagnostic> head_of(std::string_view line)
{
    const std::size_t close = line.find("): ");
    if (close == line.npos) return std::nullopt;
    const std::size_t open = line.rfind('(', close);
    if (open == line.npos || open == 0 || open + 1 == close) return std::nullopt;
    const std::string_view number = line.substr(open + 1, close - open - 1);
    const auto digit = [](unsigned char c) { return std::isdigit(c) != 0; };
    if (!std::all_of(number.begin(), number.end(), digit)) return std::nullopt;
    return diagnostic{line.substr(0, open), number, line.substr(close + 3), {}};
}

std::vector<diagnostic> errors_of(std::string_view log)
{
    std::vector<diagnostic> all;
    bool inside = false;
    for (const std::string_view line : lines_of(log)) {
        if (auto head = head_of(line)) {
            inside = head->text.find("error") < head->text.find(':');
            if (inside) all.push_back(*head);
        } else if (line.empty()) {
            inside = false; // summaries follow
        } else if (inside) {
            all.back().details.push_back(line);
        }
    }
    return all;
}

/// A user function is one long line here: shows the part of it around the caret.
std::string excerpt(const diagnostic& error)
{
    constexpr std::size_t before = 60, width = 110;
    for (std::size_t i = 1; i < error.details.size(); ++i) {
        const std::size_t caret = error.details[i].find('^');
        const bool only_caret =
            caret != std::string_view::npos && error.details[i].find_first_not_of(" \t^") == std::string_view::npos;
        if (!only_caret) continue;
        const std::string_view code = error.details[i - 1];
        const std::size_t indent = std::min(code.find_first_not_of(' '), code.size());
        const std::size_t first = caret > indent + before ? caret - before : indent;
        if (first >= code.size()) continue;
        return "\n    " + std::string{code.substr(first, width)} + "\n    " + std::string(caret - first, ' ') + "^";
    }
    return {};
}

std::string shown(const diagnostic& error)
{
    return std::string{error.file} + ":" + std::string{error.line} + ": " + std::string{error.text} + excerpt(error);
}

} // namespace

std::string readable_cuda_log(std::string_view log, std::string_view what)
{
    std::string message;
    for (const diagnostic& error : errors_of(log)) {
        if (error.file == generated_file) continue;
        message += shown(error) + "\n";
    }
    const std::string call{what};
    if (!message.empty()) return message + "(the CUDA compiler, for " + call + ")";
    return call + ": the CUDA compiler refuses the generated kernel:\n" + std::string{log.substr(0, 4000)};
}

} // namespace skelrt::detail
