// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/place/halo.hpp"

#include <cstring>

namespace skelrt::detail
{

namespace
{

std::size_t line_at(std::ptrdiff_t x, std::ptrdiff_t n, border_rule border)
{
    if (x < 0 || x >= n) {
        if (border == border_rule::constant) return line_run::constant_lines;
        if (border == border_rule::cyclic) x = (x % n + n) % n;
        else x = x < 0 ? 0 : n - 1;
    }
    return static_cast<std::size_t>(x);
}

} // namespace

std::vector<line_run> lines_around(std::ptrdiff_t first, std::size_t count, std::size_t n, border_rule border)
{
    std::vector<line_run> runs;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t line =
            line_at(first + static_cast<std::ptrdiff_t>(i), static_cast<std::ptrdiff_t>(n), border);
        const bool constant = line == line_run::constant_lines;
        const bool goes_on = !runs.empty() && (constant ? runs.back().first == line
                                                        : runs.back().first != line_run::constant_lines &&
                                                              runs.back().first + runs.back().count == line);
        if (goes_on) ++runs.back().count;
        else runs.push_back({line, 1});
    }
    return runs;
}

void lines_in_memory::copy(std::byte* to, const std::vector<line_run>& runs) const noexcept
{
    for (const line_run& run : runs) {
        const std::size_t n = run.count * width * element_size;
        if (run.first != line_run::constant_lines) std::memcpy(to, at(run.first), n);
        else if (border)
            for (std::size_t i = 0; i < n; i += element_size) std::memcpy(to + i, border, element_size);
        to += n;
    }
}

double split_us(const recipe& what, bool matrix)
{
    constexpr double halos_us = 400;
    const line_reach reach = reach_in_lines(what.stencil, matrix);
    return what.kind == skeleton::stencil && reach.before + reach.after > 0 ? halos_us : 0;
}

} // namespace skelrt::detail
