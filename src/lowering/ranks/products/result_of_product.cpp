// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/peers.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/data/parting/held.hpp"
#include "src/program/of_one_rank.hpp"
#include "src/runtime/running.hpp"

#include <skelrt/detail/call.hpp>
#include <skelrt/detail/items/dealing.hpp>

#include <cstdint>
#include <limits>

namespace skelrt::detail
{

namespace
{

/// The grid of ranks over which a matrix lies, for another matrix.
const parting* like(const parting& p, std::size_t rows, std::size_t cols)
{
    return intern({{rows, p.rows.parts, p.rows.block}, {cols, p.cols.parts, p.cols.block}});
}

} // namespace

storage* create_product(const recipe& what, const operand* operands, const storage* instead, std::size_t rows,
                        std::size_t cols)
{
    const running* const r = running::current();
    const bool is_too_large = cols > 0 && rows > std::numeric_limits<std::size_t>::max() / cols / what.result_size;
    const auto other = [&] { return create_result(rows, cols, what.result_size, true); };
    if (!r || !r->cluster || is_of_one_rank() || is_too_large) return other(); // which says so
    const auto held = [&](const held_part& p) { return create_held_result(p, what.result_size, true); };
    if (instead && instead->shape_rows == rows && instead->shape_cols == cols) return held(part_of(*instead));
    for (std::size_t k = 0; k + 1 < what.slots.size(); ++k)
        if (const storage* const s = operands[k].data; s && s->whole_rows && lies_otherwise(*s))
            return held(held_by(*like(*s->dealt, rows, cols), static_cast<unsigned>(r->cluster->rank())));
    return other();
}

} // namespace skelrt::detail
