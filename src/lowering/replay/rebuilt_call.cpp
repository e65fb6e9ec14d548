// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/replay/rebuilt_call.hpp"

#include "src/data/parting/parting.hpp"

namespace skelrt::detail
{

rebuilt_call::rebuilt_call(const recording& r, const recorded_call& c, unsigned ranks)
{
    const recorded_recipe& what = r.recipes[c.recipe];
    site_.what.kind = what.kind;
    site_.what.name = what.name;
    site_.what.result_size = what.result_size;
    site_.what.stencil = what.stencil;
    for (const recorded_slot& s : what.slots) site_.what.slots.push_back({s.kind, {}, s.size, s.size});
    for (const recorded_operand& o : c.operands) operands_.push_back(rebuild(r, o, ranks));
    call_.site = &site_;
    call_.rank = c.rank;
    call_.matrix = c.matrix;
    call_.rows = c.rows;
    call_.cols = c.cols;
    call_.depth = c.depth;
    call_.steps = c.steps;
    call_.part = c.part;
    call_.whole_lines = c.matrix ? c.rows : c.cols;
    call_.width = c.cols;
    call_.operands = operands_.data();
    call_.result = rebuild(r, c.result, ranks);
}

operand rebuilt_call::rebuild(const recording& r, const recorded_operand& o, unsigned ranks)
{
    if (!o.container) return {};
    const recorded_container& c = r.containers[*o.container];
    storage& s = storages_.emplace_back();
    s.rows = s.shape_rows = c.rows;
    s.cols = s.shape_cols = c.cols;
    s.element_size = c.element_size;
    s.whole_rows = c.whole_rows;
    if (c.dealt) s.dealt = intern(balanced(c.rows, c.cols, c.whole_rows, ranks));
    return {&s, nullptr, o.offset, o.rows, o.cols, o.ld, o.stride};
}

} // namespace skelrt::detail
