// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/tune/turns.hpp"

#include <algorithm>
#include <cmath>

namespace skelrt::tool
{

std::size_t won(const turns& t)
{
    std::size_t quicker = 0;
    for (std::size_t k = 0; k < t.with.size(); ++k)
        if (t.with[k] < t.without[k]) ++quicker;
    return quicker;
}

double median_of(std::vector<double> seconds)
{
    const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
    std::ranges::nth_element(seconds, middle);
    return *middle;
}

verdict judge(const turns& t, const gain_rule& rule)
{
    if (std::ranges::any_of(t.with, [](double s) { return std::isinf(s); })) return verdict::does_not;
    if (t.with.size() - won(t) > rule.turns - rule.wins) return verdict::does_not;
    if (t.with.size() < rule.turns) return verdict::open;
    return median_of(t.with) <= (1 - rule.least) * median_of(t.without) ? verdict::gains : verdict::does_not;
}

} // namespace skelrt::tool
