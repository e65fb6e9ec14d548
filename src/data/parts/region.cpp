// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/parts/region.hpp"

#include "src/data/parts/dealt_part.hpp"
#include "src/data/parts/rectangle_handle.hpp"

#include <new>

namespace skelrt::detail
{

namespace
{

constexpr std::align_val_t region_alignment{64};

std::byte* make_memory(const storage& s, const rectangle& where)
{
    return s.borrowed ? nullptr
                      : static_cast<std::byte*>(::operator new(where.size() * s.element_size, region_alignment));
}

} // namespace

shown_part shown_in(std::byte* memory, std::size_t element_size, const placement& part) noexcept
{
    return {nullptr, memory ? memory + part.offset * element_size : nullptr, part.ld, part.stride};
}

void region::frees::operator()(std::byte* p) const noexcept { ::operator delete(p, region_alignment); }

region::region(storage& s, const rectangle& where)
    : memory_(make_memory(s, where)), elements_{s,
                                                {{{where.row, where.rows}}, {{where.col, where.cols}}},
                                                whole_grid(s.shape_rows, s.shape_cols)},
      where_(where), packed_(!s.borrowed && where != whole_of(s))
{
    if (packed_) elements_.room = elements_.elements;
    elements_.to = s.borrowed ? s.data - s.first * s.element_size : memory_.get();
    elements_.holds_own_part = s.borrowed;
}

shown_part region::shown(const placement& part) const noexcept
{
    if (!packed_) return shown_in(elements_.to, elements_.of.element_size, part);
    const std::size_t row = whole_of(elements_.of).cols;
    const auto on = [&](std::size_t step) { return step / row * where_.cols + step % row; };
    const auto here = [&](std::size_t step) { return goes_back(step) ? 0 - on(0 - step) : on(step); };
    const std::size_t first = on(part.offset) - where_.row * where_.cols - where_.col;
    return {nullptr, elements_.to + first * elements_.of.element_size, here(part.ld), here(part.stride)};
}

} // namespace skelrt::detail
