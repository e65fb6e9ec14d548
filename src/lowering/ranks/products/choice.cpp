// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/products/choice.hpp"

#include "src/data/parting/held.hpp"
#include "src/function/sides.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/ranks/products/limits.hpp"
#include "src/lowering/ranks/products/product.hpp"
#include "src/lowering/ranks/products/product_costs.hpp"

#include <algorithm>

namespace skelrt::detail
{

namespace
{

/// What a side reads of containers that are dealt out, in bytes.
double bytes_of_side(const call& c, std::size_t side)
{
    const recipe& r = c.site->what;
    const double elements = static_cast<double>(side == 0 ? c.rows : c.cols) * static_cast<double>(c.depth);
    double bytes = 0;
    for (const std::size_t slot : parts_of(r, r.calls.back().arguments[side]).slots)
        if (const storage* const s = c.operands[slot].data; s && s->dealt) bytes += elements * s->element_size;
    return bytes;
}

product_sizes sizes_of(const call& c, const product& p, double least_memory)
{
    const storage& result = *c.operands[c.site->what.slots.size() - 1].data;
    const auto lies_in_lines = [](const storage& s) { return !lies_otherwise(s); };
    const auto operand_does = [&](const product_operand& o) { return lies_in_lines(o.data()); };
    return {bytes_of_side(c, 0),
            bytes_of_side(c, 1),
            static_cast<double>(c.rows) * static_cast<double>(c.cols) * result.element_size,
            result.dealt->rows.parts,
            result.dealt->cols.parts,
            p.cut().count(),
            lies_in_lines(result) && std::ranges::all_of(p.operands(), operand_does),
            least_memory};
}

} // namespace

bool goes_by_panels(const engine& e, const call& c, const product& p)
{
    if (e.wanted.products != products_by::cost) return e.wanted.products == products_by::panels;
    const rank_limits& known = e.limits();
    return is_for_panels(sizes_of(c, p, known.least_memory), known.network);
}

} // namespace skelrt::detail
