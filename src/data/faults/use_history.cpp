// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/faults/use_history.hpp"

namespace skelrt::detail
{

namespace
{

bool conflict(const use_history::use& a, const use_history::use& b)
{
    const bool in_any_order = a.how == b.how && a.how != data_use::writes;
    return !in_any_order && overlap(a.part, b.part);
}

/// Whoever is in order with `later` is so with `earlier`, and conflicts with it if with the other.
bool stands_for(const use_history::use& later, const use_history::use& earlier)
{
    return (later.how == earlier.how || later.how == data_use::writes) && contains(later.part, earlier.part) &&
           is_before(earlier.when, later.when);
}

} // namespace

std::optional<use_history::use> use_history::add(const use& u)
{
    const std::lock_guard lock(guard_);
    for (const use& earlier : lately_)
        if (conflict(earlier, u) && have_one_root(earlier.when, u.when) && !is_before(earlier.when, u.when))
            return earlier;
    std::erase_if(lately_, [&](const use& earlier) { return stands_for(u, earlier); });
    if (lately_.size() == most) lately_.erase(lately_.begin());
    lately_.push_back(u);
    return {};
}

} // namespace skelrt::detail
