// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/memory/copy_bytes.hpp"

#include "src/runtime/cores/compute_right.hpp"
#include "src/runtime/cores/team.hpp"
#include "src/runtime/running.hpp"
#include "src/runtime/visit.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

namespace skelrt::detail
{

namespace
{

/// Those that have a core of their own, as items have, and tasks leave the others theirs.
bool may_lead()
{
    const running* const r = running::current();
    return r && !r->devices().policy_places() && !inside_task() && !inside_user_code() && !compute_right::current();
}

} // namespace

void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes) noexcept
{
    constexpr std::size_t worth_a_team = std::size_t{1} << 20;
    std::optional<team_lead> lead;
    if (bytes >= worth_a_team && may_lead()) lead.emplace(leader::caller);
    if (!lead || !*lead) {
        std::memcpy(to, from, bytes);
        return;
    }
    const std::size_t part = bytes / static_cast<std::size_t>(lead->members()) + 1;
    lead->run([&](int member, int) {
        const std::size_t first = std::min(part * static_cast<std::size_t>(member), bytes);
        std::memcpy(to + first, from + first, std::min(part, bytes - first));
    });
}

} // namespace skelrt::detail
