// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/plan/load_board.hpp"

#include <algorithm>

namespace skelrt::detail
{

void load_board::add(line& l, const program& by, double us, std::shared_ptr<const progress> until)
{
    forget_ended(l);
    auto mine = std::ranges::find(l.shares, &by, &share::of);
    if (mine == l.shares.end()) mine = l.shares.insert(mine, {&by, 0, 0});
    l.under_way.push_back({&by, us, std::move(until)});
    mine->us += us;
    ++mine->entries;
    ++entries_;
}

double load_board::sum_but(line& l, const program* mine)
{
    forget_ended(l);
    double us = 0;
    for (const share& s : l.shares)
        if (s.of != mine) us += s.us;
    return us;
}

bool load_board::has_others(const program& mine)
{
    for (std::size_t t = 0; any() && t < calls_.size(); ++t)
        if (of_others(t, mine) > 0) return true;
    return false;
}

void load_board::forget(line& l, const entry& e) noexcept
{
    const auto its = std::ranges::find(l.shares, e.by, &share::of);
    its->us -= e.us;
    if (--its->entries == 0) l.shares.erase(its);
    --entries_;
}

/// Calls end about in their order. Those that did not are found when there are twice as many as the last time.
void load_board::forget_ended(line& l)
{
    for (; !l.under_way.empty() && l.under_way.front().until->done(); l.under_way.pop_front())
        forget(l, l.under_way.front());
    if (l.under_way.size() < l.sweep_at) return;
    std::erase_if(l.under_way, [&](const entry& e) {
        const bool over = e.until->done();
        if (over) forget(l, e);
        return over;
    });
    l.sweep_at = std::max(few, 2 * l.under_way.size());
}

} // namespace skelrt::detail
