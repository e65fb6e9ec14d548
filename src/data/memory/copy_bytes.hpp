// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/runtime/cores/team.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>

namespace skelrt::detail
{

constexpr std::size_t worth_all_cores = std::size_t{1} << 20; ///< bytes that one core should not copy alone

/// copy(begin, end) copies some of the bytes: each member its part.
template <class Copy>
void copy_in_parts(team_lead& lead, std::size_t bytes, const Copy& copy)
{
    const std::size_t part = bytes / static_cast<std::size_t>(lead.members()) + 1;
    lead.run([&](int member, int) {
        const std::size_t begin = std::min(part * static_cast<std::size_t>(member), bytes);
        copy(begin, std::min(begin + part, bytes));
    });
}

/// The same, of few bytes by the calling thread.
template <class Copy>
void copy_by_all(team_lead& lead, std::size_t bytes, const Copy& copy)
{
    if (bytes < worth_all_cores) copy(std::size_t{0}, bytes);
    else copy_in_parts(lead, bytes, copy);
}

/// Calls part(begin, end) for parts of so many bytes, on all cores at once if they are many and the calling thread can
/// lead them now; before there is a runtime, on threads of their own. `part` must not throw. Any thread.
void in_parts(std::size_t bytes, const std::function<void(std::size_t begin, std::size_t end)>& part) noexcept;

/// As memcpy, in parts.
void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes) noexcept;

} // namespace skelrt::detail
