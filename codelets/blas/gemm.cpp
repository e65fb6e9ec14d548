// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/blas/gemm.hpp"

#include <algorithm>
#include <initializer_list>
#include <limits>

namespace skelrt::detail::blas
{
namespace
{

steps steps_of(const slot_view& v, slot_kind kind)
{
    if (kind == slot_kind::row_vec) return {v.ld, v.stride};
    return {v.stride, v.ld};
}

/// Of the type of `one`.
template <class T>
bool is_zero(const T& /*one*/, const void* value)
{
    return *static_cast<const T*>(value) == T{};
}
bool is_zero(numbers n, const void* value)
{
    return with_one(n, [&](const auto& one) { return is_zero(one, value); });
}

/// The elements of a block's rows, or of its columns, as rows of a product's side, and those of the vector.
struct vector_sides {
    std::size_t rows, depth;
    steps matrix;
    std::size_t step;
};
vector_sides sides_of(bool by_row, const segment& where, const slot_view& matrix, const slot_view& vector)
{
    if (by_row) return {where.rows, where.cols, {matrix.ld, matrix.stride}, vector.stride};
    return {where.cols, where.rows, {matrix.stride, matrix.ld}, vector.ld};
}

} // namespace

std::optional<gemm_matrix> matrix_at(const slot_view& memory, std::size_t first, const steps& s, std::size_t rows,
                                     std::size_t length)
{
    if (goes_back(s.row) || goes_back(s.element)) return {};
    if ((s.element == 1 || length == 1) && (s.row >= length || rows == 1))
        return gemm_matrix{&memory, first, std::max(s.row, length), false};
    if ((s.row == 1 || rows == 1) && (s.element >= rows || length == 1))
        return gemm_matrix{&memory, first, std::max(s.element, rows), true};
    return {};
}

bool can_be_counted(const gemm& g)
{
    constexpr std::size_t most = std::numeric_limits<int>::max();
    const auto sizes = {g.rows, g.cols, g.depth, g.left.ld, g.right.ld, g.result.ld};
    return std::ranges::all_of(sizes, [](std::size_t n) { return n <= most; });
}

std::optional<gemm> gemm_of(const work& w, std::size_t segment, const result_block& r)
{
    const auto& sides = w.what.calls.back().arguments;
    const auto side = [&](const argument& a, std::size_t row, std::size_t rows) {
        const steps s = steps_of(w.slot(segment, a.which), w.what.slots[a.which].kind);
        return matrix_at(w.slot(segment, a.which), row * s.row, s, rows, w.depth);
    };
    // What is read whole counts from its own first row.
    const bool whole = w.what.slots[sides[0].which].kind == slot_kind::column_vec;
    const auto left = side(sides[0], r.row + (whole ? w.segments[segment].row0 : 0), r.rows);
    const auto right = side(sides[1], r.col, r.cols);
    const slot_view& to = w.slot(segment, w.what.slots.size() - 1);
    const auto result = matrix_at(to, r.row * to.ld + r.col * to.stride, {to.ld, to.stride}, r.rows, r.cols);
    if (!left || !right || !result || result->across) return {};
    const gemm g{r.rows, r.cols, w.depth, *left, *right, *result};
    if (!can_be_counted(g)) return {};
    return g;
}

std::optional<gemv> gemv_of(const gemm& g)
{
    const auto row = [](const gemm_matrix& m) { return gemv_vector{m.memory, m.first, m.across ? m.ld : 1}; };
    const gemm_matrix& to = g.result;
    if (g.cols == 1) return gemv{g.rows, g.depth, g.left, row(g.right), {to.memory, to.first, to.ld}};
    if (g.rows == 1) return gemv{g.cols, g.depth, g.right, row(g.left), {to.memory, to.first, 1}};
    return {};
}

std::optional<std::vector<gemm>> gemms_of(const work& w, numbers n)
{
    if (w.depth > deepest || (!w.begun && w.start && !is_zero(n, w.start))) return {};
    std::vector<gemm> all;
    for (std::size_t s = 0; s < w.segments.size(); ++s) {
        const segment& where = w.segments[s];
        if (where.rows == 0 || where.cols == 0) continue;
        const auto g = gemm_of(w, s, {0, where.rows, 0, where.cols});
        if (!g) return {};
        all.push_back(*g);
    }
    return all;
}

std::optional<gemm> vector_gemm_of(const recipe& what, const segment& where, const slot_view* slots,
                                   const slot_view& to, std::size_t first)
{
    const unsigned matrix = what.slots[0].kind == slot_kind::element ? 0 : 1;
    const slot_view &m = slots[matrix], &v = slots[1 - matrix];
    const bool by_row = what.kind == skeleton::reduce_rows;
    const vector_sides s = sides_of(by_row, where, m, v);
    if (by_row && v.ld != 0) return {}; // a transposed matrix
    const auto left = matrix_at(m, 0, s.matrix, s.rows, s.depth);
    const auto right = matrix_at(v, 0, {s.depth, s.step}, 1, s.depth);
    if (!left || !right || s.rows == 0 || s.depth == 0) return {};
    const gemm g{s.rows, 1, s.depth, *left, *right, {&to, first, 1, false}};
    if (!can_be_counted(g)) return {};
    return g;
}

std::optional<std::vector<gemm>> vector_gemms_of(const work& w, numbers n)
{
    const bool by_row = w.what.kind == skeleton::reduce_rows;
    if (w.start && !is_zero(n, w.start)) return {};
    std::vector<gemm> all;
    std::size_t rows = 0;
    for (std::size_t s = 0; s < w.segments.size(); ++s) {
        if (w.segments[s].rows == 0) continue;
        const auto g = vector_gemm_of(w.what, w.segments[s], &w.slot(s, 0), w.result, by_row ? rows : 0);
        if (!g) return {};
        rows += w.segments[s].rows;
        if ((by_row ? g->depth : rows) > deepest) return {};
        all.push_back(*g);
    }
    return all;
}

} // namespace skelrt::detail::blas
