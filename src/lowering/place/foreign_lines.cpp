// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/place/foreign_lines.hpp"

#include <cassert>

namespace skelrt::detail
{

std::size_t foreign_lines::number_of(std::size_t slot, std::size_t line) const
{
    if (line >= own_.first && line < own_.end()) return line - own_.first;
    std::size_t number = own_.count;
    for (const piece& p : pieces_) {
        if (p.slot == slot && line >= p.lines.first && line < p.lines.end()) return number + line - p.lines.first;
        number += p.lines.count;
    }
    assert(false && "the exchange brings every line that a share asks for");
    return number;
}

std::vector<line_run> foreign_lines::numbered(std::size_t slot, const std::vector<line_run>& runs) const
{
    std::vector<line_run> all;
    for (const line_run& run : runs) {
        if (run.first == line_run::constant_lines) {
            all.push_back(run);
            continue;
        }
        for (std::size_t line = run.first; line < run.first + run.count; ++line) {
            const std::size_t number = number_of(slot, line);
            const bool goes_on = !all.empty() && all.back().first != line_run::constant_lines &&
                                 all.back().first + all.back().count == number &&
                                 is_foreign(all.back().first) == is_foreign(number);
            if (goes_on) ++all.back().count;
            else all.push_back({number, 1});
        }
    }
    return all;
}

foreign_lines::place foreign_lines::at(std::size_t number) const
{
    std::size_t before = own_.count;
    for (const piece& p : pieces_) {
        if (number < before + p.lines.count) return {p.data, number - before, before + p.lines.count - number};
        before += p.lines.count;
    }
    assert(false && "a number that numbered() gave");
    return {};
}

} // namespace skelrt::detail
