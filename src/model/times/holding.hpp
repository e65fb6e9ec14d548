// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

namespace skelrt::detail
{

/// How often something that was found out is used before it is found out anew: twice as often each time that it came
/// out alike, for what it depends on changes slowly. Pure.
class holding
{
public:
    constexpr holding(unsigned first, unsigned most) noexcept : first_(first), most_(most) {}

    /// Whether it still holds; then it was used once more.
    constexpr bool use() noexcept
    {
        if (left_ == 0) return false;
        --left_;
        return true;
    }
    /// It was found out anew; the first time it is like nothing.
    constexpr void renew(bool alike) noexcept
    {
        left_ = span_ = alike && !is_new_ ? std::clamp(2 * span_, 1u, most_) : first_;
        is_new_ = false;
    }

private:
    unsigned first_, most_;
    unsigned span_ = 0, left_ = 0; ///< uses altogether, and from now on
    bool is_new_ = true;
};

} // namespace skelrt::detail
