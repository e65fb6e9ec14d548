// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/plan/piece_time.hpp"

#include "src/lowering/plan/cost.hpp"

#include <algorithm>

namespace skelrt::detail
{

double piece_time_us(const models& known, const recipe& r, const runner& who, std::size_t elements, std::size_t depth,
                     double core_ns, unsigned cores) noexcept
{
    constexpr std::size_t fills = std::size_t{1} << 20; // pairs, each thread has several
    const std::size_t part = elements / static_cast<std::size_t>(overlap_pieces),
                      full = std::min(elements, fills * depth);
    const estimate there = known.predict(r, who, part, core_ns, cores);
    if (r.kind != skeleton::all_pairs || there.runs > 0 || part >= full) return there.at(part);
    return known.predict(r, who, full, core_ns, cores).at(full);
}

} // namespace skelrt::detail
