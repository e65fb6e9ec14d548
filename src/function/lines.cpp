// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/lines.hpp"

#include "src/function/shared.hpp"
#include "src/function/tokens.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>

namespace skelrt::detail
{
namespace
{

std::string read_file(const char* path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The line (from 1) of each token of a whole file.
std::vector<int> count_lines(const std::string& text, const std::vector<token>& tokens)
{
    std::vector<int> result;
    result.reserve(tokens.size());
    int line = 1;
    std::size_t at = 0;
    for (const auto& t : tokens) {
        line += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                                            text.begin() + static_cast<std::ptrdiff_t>(t.offset), '\n'));
        at = t.offset;
        result.push_back(line);
    }
    return result;
}

bool same_text(const token& a, const token& b) { return a.text == b.text; }

/// The lines of the text as the user wrote it.
std::vector<int> written_lines(const function_source& source)
{
    const auto wanted = tokenize(source.text);
    std::vector<int> result(wanted.size(), source.line);
    const auto file = read_file(source.file);
    const auto tokens = tokenize(file);
    const auto lines = count_lines(file, tokens);

    int nearest = std::numeric_limits<int>::max();
    auto begin = tokens.begin();
    while (!wanted.empty()) {
        begin = std::search(begin, tokens.end(), wanted.begin(), wanted.end(), same_text);
        if (begin == tokens.end()) break;
        const auto first = lines.begin() + (begin - tokens.begin());
        const auto last = first + static_cast<std::ptrdiff_t>(wanted.size());
        // Compilers disagree on whether __LINE__ is the first or the last line of a macro call.
        const int distance = std::min(std::abs(*first - source.line), std::abs(*(last - 1) - source.line));
        if (distance < nearest) {
            nearest = distance;
            std::copy(first, last, result.begin());
        }
        ++begin;
    }
    return result;
}

/// What a macro became is on the macro's line: tokens that both texts have are matched, the nearest first.
std::vector<int> lines_of_expansion(const std::vector<token>& code, const std::vector<token>& written,
                                    const std::vector<int>& lines)
{
    constexpr std::size_t far = 200; // tokens of one macro
    std::vector<int> result;
    std::size_t w = 0;
    for (std::size_t c = 0; c < code.size(); ++c) {
        if (w + 1 < written.size() && !same_text(code[c], written[w])) {
            // Is it the macro that ends here? Then what follows it follows here, too.
            for (std::size_t ahead = 1; ahead < far && w + ahead < written.size(); ++ahead) {
                const auto& next = written[w + ahead];
                const bool follows =
                    same_text(code[c], next) && (c + 1 == code.size() || w + ahead + 1 == written.size() ||
                                                 same_text(code[c + 1], written[w + ahead + 1]));
                if (follows) {
                    w += ahead;
                    break;
                }
            }
        }
        result.push_back(lines[std::min(w, lines.size() - 1)]);
        if (w < written.size() && same_text(code[c], written[w])) ++w;
    }
    return result;
}

} // namespace

std::vector<int> token_lines(const function_source& source)
{
    const auto lines = written_lines(source);
    const auto code = tokenize(code_of(source)), written = tokenize(source.text);
    if (std::ranges::equal(code, written, same_text) || lines.empty()) return lines;
    return lines_of_expansion(code, written, lines);
}

std::string locate(const function_source& source, std::size_t column)
{
    const auto tokens = tokenize(code_of(source));
    const auto lines = token_lines(source);
    int line = source.line;
    for (std::size_t i = 0; i < tokens.size() && tokens[i].offset <= column; ++i) line = lines[i];
    return std::string(source.file) + ":" + std::to_string(line);
}

relined_text relined(const function_source& source)
{
    const auto tokens = tokenize(code_of(source));
    const auto lines = token_lines(source);
    relined_text result{"", lines.empty() ? source.line : lines.front()};
    int line = result.line;
    std::size_t end = tokens.empty() ? 0 : tokens.front().offset;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (lines[i] > line) result.text.append(static_cast<std::size_t>(lines[i] - line), '\n');
        else if (tokens[i].offset > end) result.text += ' ';
        line = std::max(line, lines[i]);
        result.text += tokens[i].text;
        end = tokens[i].offset + tokens[i].text.size();
    }
    return result;
}

} // namespace skelrt::detail
