// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/peers.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/data/parting/held.hpp"
#include "src/runtime/running.hpp"

#include <skelrt/detail/call.hpp>
#include <skelrt/detail/items/dealing.hpp>

namespace skelrt::detail
{

storage* create_result_beside(const recipe& what, const operand* operands, std::size_t inputs, std::size_t rows,
                              std::size_t cols, std::uint32_t element_size, bool whole_rows)
{
    const running* const r = running::current();
    if (!r || !r->cluster || what.kind != skeleton::map) return create_result(rows, cols, element_size, whole_rows);
    const auto has_shape = [&](const operand& o) {
        return o.data->shape_rows == rows && o.data->shape_cols == cols && o.data->whole_rows == whole_rows;
    };
    for (std::size_t k = 0; k < inputs; ++k) {
        const operand& o = operands[k];
        if (what.slots[k].kind != slot_kind::element || !o.data || !o.data->dealt || !has_shape(o)) continue;
        return create_held_result(held_by(*o.data->dealt, static_cast<unsigned>(r->cluster->rank())), element_size,
                                  whole_rows);
    }
    return create_result(rows, cols, element_size, whole_rows);
}

} // namespace skelrt::detail
