// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/environment/nearest.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace skelrt::detail
{

namespace
{

/// Number of letters to insert, delete or replace to make `b` of `a`.
std::size_t distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row.back();
}

} // namespace

std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known, std::size_t most)
{
    std::string_view best;
    std::size_t far = most + 1;
    for (const std::string_view candidate : known)
        if (const std::size_t d = distance(candidate, name); d < far) best = candidate, far = d;
    return best;
}

} // namespace skelrt::detail
