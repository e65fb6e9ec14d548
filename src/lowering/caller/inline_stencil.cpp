// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/caller/inline_stencil.hpp"

#include "src/lowering/place/grid.hpp"
#include "src/lowering/place/halo.hpp"

#include "codelets/cpu/cpu.hpp"

namespace skelrt::detail
{

inline_stencil::inline_stencil(const call& c, const slot_view* views)
    : c_(c), all_(space_of(c)), work_{c.site->what, c.matrix, c.width, std::span(&all_, 1),
                                      std::span(views, c.site->what.slots.size())},
      hoods_(count_hoods(c.site->what))
{
    const recipe& r = c.site->what;
    const std::size_t axis = r.stencil.rank == 3 ? 0 : c.matrix ? 1 : 2;
    const unsigned deep = c.color >= 0 ? 1 : c.steps; // a trial looks around, the iteration itself does not
    const std::size_t before = deep * r.stencil.before[axis], after = deep * r.stencil.after[axis];
    const auto first = static_cast<std::ptrdiff_t>(first_grid_line(c)),
               end = first + static_cast<std::ptrdiff_t>(c.matrix ? c.rows : c.cols);
    const bool cyclic = r.stencil.border == border_rule::cyclic;
    for (std::size_t k = 0, next = 0; k < r.slots.size(); ++k) {
        if (!has_surroundings(r.slots[k].kind)) continue;
        const operand& o = c.operands[k];
        hood_view& h = hoods_[next++];
        h.border_value = o.value;
        const std::size_t size = r.slots[k].size;
        if (cyclic || first > 0)
            h.before.data = const_cast<void*>(lines(o, size, first - static_cast<std::ptrdiff_t>(before), before));
        if (cyclic || end < static_cast<std::ptrdiff_t>(grid_lines(c)))
            h.after.data = const_cast<void*>(lines(o, size, end, after));
    }
    work_.hoods = {hoods_.data(), hoods_.size()};
    set_whole_grid(work_, c);
    work_.steps = c.steps;
    work_.color = c.color;
}

const void* inline_stencil::lines(const operand& o, std::size_t element_size, std::ptrdiff_t first, std::size_t count)
{
    if (count == 0) return nullptr;
    const lines_in_memory grid{o.data->data, grid_begin(c_, o), grid_width(c_), element_size, o.value};
    const auto runs = lines_around(first, count, grid_lines(c_), c_.site->what.stencil.border);
    if (runs.size() == 1 && runs[0].first != line_run::constant_lines) return grid.at(runs[0].first);
    std::byte* const copy = copied_.emplace_back(count * grid.width * element_size).data();
    grid.copy(copy, runs);
    return copy;
}

void inline_stencil::run()
{
    cpu::partials none(work_, 1);
    cpu::run_share(work_, none, 0, 1);
}

void inline_stencil::prepare_probe(std::size_t most)
{
    most_ = most;
    results_ = element_memory(most * c_.site->what.result_size);
}

std::size_t inline_stencil::probe() const { return cpu::probe_stencil(work_, most_, results_.data()); }

} // namespace skelrt::detail
