#include "lines.hpp"

#include "tokens.hpp"

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

} // namespace

std::vector<int> token_lines(const function_source& source)
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

std::string locate(const function_source& source, std::size_t column)
{
    const auto tokens = tokenize(source.text);
    const auto lines = token_lines(source);
    int line = source.line;
    for (std::size_t i = 0; i < tokens.size() && tokens[i].offset <= column; ++i) line = lines[i];
    return std::string(source.file) + ":" + std::to_string(line);
}

relined_text relined(const function_source& source)
{
    const auto tokens = tokenize(source.text);
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
