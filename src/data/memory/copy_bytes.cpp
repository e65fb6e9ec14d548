// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/memory/copy_bytes.hpp"

#include "src/runtime/cores/compute_right.hpp"
#include "src/runtime/running.hpp"
#include "src/runtime/visit.hpp"

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
    std::optional<team_lead> lead;
    if (bytes >= worth_all_cores && may_lead()) lead.emplace(leader::caller);
    if (lead && *lead) {
        copy_in_parts(*lead, bytes,
                      [&](std::size_t begin, std::size_t end) { std::memcpy(to + begin, from + begin, end - begin); });
    } else {
        std::memcpy(to, from, bytes);
    }
}

} // namespace skelrt::detail
