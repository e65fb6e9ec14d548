// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/runtime/cores/team.hpp"

#include "codelets/first_fault.hpp"

#include <skelrt/detail/user_code.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>

namespace skelrt::detail
{

/// f(first, last) for parts of `count` that follow each other, on all cores that the calling thread can lead now, or by
/// itself where each would have less than `least`. Lets through what one of them throws.
template <class F>
void in_parts(std::size_t count, std::size_t least, const F& f)
{
    if (count < 2 * least) {
        const in_user_code mark;
        return f(std::size_t{0}, count);
    }
    team_lead lead(leader::caller);
    const std::size_t members = lead ? static_cast<std::size_t>(lead.members()) : 1,
                      parts = std::clamp<std::size_t>(count / least, 1, members);
    first_fault fault;
    const auto part = [&](int thread, int) {
        const auto k = static_cast<std::size_t>(thread);
        if (k >= parts) return;
        try {
            const in_user_code mark;
            f(count / parts * k + std::min(k, count % parts), count / parts * (k + 1) + std::min(k + 1, count % parts));
        } catch (...) {
            fault.set(std::current_exception());
        }
    };
    if (parts > 1) lead.run(part);
    else part(0, 1);
    if (fault.get()) std::rethrow_exception(fault.get());
}

} // namespace skelrt::detail
