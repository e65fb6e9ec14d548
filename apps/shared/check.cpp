// SPDX-License-Identifier: BSD-3-Clause
#include "check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace apps
{

bool comparison::is_worst(double value, double reference, double scale)
{
    const double error = std::isfinite(value) ? std::abs(value - reference) : std::numeric_limits<double>::infinity();
    ++samples;
    absolute = std::max(absolute, error);
    const double at_scale = error / std::max(std::abs(scale), 1e-30);
    if (at_scale <= relative) return false;
    relative = at_scale;
    return true;
}

void comparison::describe(double value, double reference, const std::string& where)
{
    worst = fmt::format("{}: {:.9g} instead of {:.9g}", where, value, reference);
}

std::function<std::string(std::size_t)> numbered(const std::string& what)
{
    return [what](std::size_t i) { return fmt::format("{} {}", what, i); };
}

std::function<std::string(std::size_t)> row_and_column(std::size_t columns)
{
    return [columns](std::size_t i) { return fmt::format("row {}, column {}", i / columns, i % columns); };
}

} // namespace apps
