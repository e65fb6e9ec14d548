// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/parts/held_here.hpp"

#include "src/cluster/peers.hpp"
#include "src/data/parts/dealt_part.hpp"
#include "src/data/parts/rectangle_handle.hpp"
#include "src/runtime/running.hpp"

#include <skelrt/view.hpp>

namespace skelrt::detail
{

rectangle held_here(const storage& s, const placement& part)
{
    const running* const r = running::current();
    const peers* const ranks = r ? r->cluster : nullptr;
    if (!s.dealt || !ranks) return part_at(s, part);
    return held_part_of(*s.dealt, static_cast<unsigned>(ranks->rank()), part_at(whole_of(s), part));
}

} // namespace skelrt::detail
