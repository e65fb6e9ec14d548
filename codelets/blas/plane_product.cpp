// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/blas/plane_product.hpp"

#include "codelets/blas/plain_product.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace skelrt::detail::blas
{
namespace
{

// Slots of such a call: the sides, the values behind them, the result.
enum slot : std::size_t { left, right, cols, depth, left_row, left_step, right_step, right_col, result, count };

std::size_t value_of(const work& w, slot k)
{
    std::size_t v = 0;
    std::memcpy(&v, w.slot(0, k).data, sizeof v);
    return v;
}

bool is_call_of_planes(const recipe& what)
{
    if (what.kind != skeleton::map || what.calls.size() != 1 || what.root.kind != argument_kind::call) return false;
    const function_source& f = *what.calls[0].function;
    if (f.facts != nullptr || std::string_view{f.file} != "sk::batched_product") return false;
    const auto is = [&](std::size_t k, slot_kind kind) { return what.slots[k].kind == kind; };
    bool uniforms = what.slots.size() == count;
    for (std::size_t k = cols; uniforms && k < result; ++k) uniforms = is(k, slot_kind::uniform);
    return uniforms && is(left, slot_kind::row_vec) && is(right, slot_kind::row_vec) && is(result, slot_kind::element);
}

} // namespace

std::optional<numbers> plane_product_of(const recipe& what)
{
    if (!is_call_of_planes(what) || !what.members.empty()) return {};
    return numbers_of(what.slots[left].type, what.result);
}

plane_sizes plane_sizes_of(const work& w)
{
    const std::size_t across = value_of(w, cols);
    return {w.width.cols / across, across, value_of(w, depth)};
}

std::optional<gemm> gemm_of_plane(const work& w, std::size_t segment, std::size_t plane, std::size_t row,
                                  std::size_t rows)
{
    const plane_sizes s = plane_sizes_of(w);
    if (s.depth > deepest) return {};
    const auto first = [&](slot k) { return plane * w.slot(segment, k).ld; };
    const std::size_t row_step = value_of(w, left_row);
    const auto a = matrix_at(w.slot(segment, left), first(left) + row * row_step, {row_step, value_of(w, left_step)},
                             rows, s.depth);
    const auto b = matrix_at(w.slot(segment, right), first(right), {value_of(w, right_col), value_of(w, right_step)},
                             s.cols, s.depth);
    const auto c = matrix_at(w.slot(segment, result), first(result) + row * s.cols, {s.cols, 1}, rows, s.cols);
    if (!a || !b || !c || c->across || w.slot(segment, result).stride != 1) return {};
    const gemm g{rows, s.cols, s.depth, *a, *b, *c};
    if (!can_be_counted(g)) return {};
    return g;
}

} // namespace skelrt::detail::blas
