// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/place/overlap.hpp"

#include <skelrt/detail/call.hpp>
#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <string>

/// What calls that cannot be say of themselves, for the front end's templates.
namespace skelrt::detail
{

namespace
{

std::string shape_text(const extent& x)
{
    switch (x.rank) {
    case 1:
        return fmt::format("a vector of {}", x.cols);
    case 2:
        return fmt::format("a matrix of {} x {}", x.rows, x.cols);
    case 3:
        return fmt::format("a tensor of {} x {} x {}", x.rows, x.inner[0], x.inner[1]);
    default:
        return fmt::format("a tensor of {} x {} x {} x {}", x.rows, x.inner[0], x.inner[1], x.inner[2]);
    }
}

} // namespace

void join_operand(extent& e, const extent& own, std::size_t argument, const recipe& r)
{
    if (!e.join(own)) throw_shape_mismatch(r, argument, own, e);
}

void throw_shape_mismatch(const recipe& r, std::size_t argument, const extent& got, const extent& wanted)
{
    // The leaves are counted on beyond the operands: to where the results go.
    const bool to_result = has_result_slot(r.kind) && argument + 1 >= r.slots.size();
    const std::string which = to_result ? "the destination" : fmt::format("operand {}", argument + 1);
    const char* const way_out =
        r.kind == skeleton::stencil
            ? "pass containers of one shape; for a part of the result let hoods see around the same part of their "
              "container: to.sub(...) = f(sk::with_neighbours(from.sub(...)))"
            : "pass containers of one shape, or part of the larger one (range, sub, row, column)";
    throw error(fmt::format("{}: {} is {}, but the call works on {}; {}", r.name, which, shape_text(got),
                            shape_text(wanted), way_out));
}

void check_distinct(const recipe& r, const void* const* containers, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (containers[i] == containers[j])
                throw error(fmt::format("{}: results {} and {} go to the same container; sk::tie takes different ones",
                                        r.name, j + 1, i + 1));
}

void check_indices(unsigned asked, const extent& x, const recipe& r)
{
    const auto refuse = [&](int index) {
        throw error(
            fmt::format("{}: its function asks for sk::index{}, but the call works on {}; sk::index1 counts the "
                        "elements of any shape, sk::index{} is the position in this one",
                        r.name, index, shape_text(x), x.rank));
    };
    if ((asked & 1u << 2) && x.rank > 2) refuse(2);
    for (const int index : {3, 4})
        if ((asked & 1u << index) && x.rank != index) refuse(index);
}

void throw_not_contiguous()
{
    throw error(
        "sk::accumulator: the elements of the container do not follow each other (a column, or part of the columns "
        "of a matrix); add to a vector first");
}

void throw_not_a_matrix(const recipe& r, const extent& x)
{
    throw error(fmt::format("{}: by row and by column are for matrices, and this is {}; write t.plane(i) or t.flat() "
                            "for a matrix of its elements",
                            r.name, shape_text(x)));
}

void throw_edge_mismatch(const recipe& r, std::size_t rows, std::size_t cols, const extent& wanted)
{
    throw error(
        fmt::format("{}: its edges are those of {} x {} elements (as many rows as the column to the left has, and "
                    "as many columns as the row above), but its operands are {}; pass parts of the edges (range) "
                    "or of the operands (sub)",
                    r.name, rows, cols, shape_text(wanted)));
}

void throw_wavefront_rank(const recipe& r, const extent& x)
{
    throw error(fmt::format("{}: a wavefront gives a matrix, and its operands are {}; pass matrices, t.plane(i) of a "
                            "tensor, or sk::per_row and sk::per_column of vectors",
                            r.name, shape_text(x)));
}

void throw_not_a_vector(const recipe& r, const extent& x)
{
    throw error(fmt::format("{}: it sorts vectors, and this is {}; sort its rows or columns (m.row(i), m.column(j))",
                            r.name, shape_text(x)));
}

void check_keys_and_values(const recipe& r, const operand& keys, const operand& values)
{
    if (keys.cols != values.cols)
        throw error(fmt::format("{}: {} values for {} keys; pass as many, or part of the longer one (range)", r.name,
                                values.cols, keys.cols));
    if (keys.data != values.data || !may_overlap(keys, values)) return;
    throw error(fmt::format("{}: keys and values are the same elements of one container; sort values by a copy of them",
                            r.name));
}

void throw_side_mismatch(const recipe& r, std::size_t argument, std::size_t got, bool rows, std::size_t wanted,
                         bool matrix)
{
    const char* side = rows ? "row" : "column";
    if (!matrix)
        throw error(
            fmt::format("{}: operand {} has one element per {}, but the call works on a vector; pass a matrix, or "
                        "the operand without sk::per_{}",
                        r.name, argument + 1, side, side));
    throw error(
        fmt::format("{}: operand {} has {} elements (or rows), one per {} of the result, but the call has {} {}s; "
                    "pass part of the larger one (range, sub)",
                    r.name, argument + 1, got, side, wanted, side));
}

void throw_not_a_matrix(const recipe& r, std::size_t size)
{
    throw error(
        fmt::format("{}: it works on the rows or columns of a matrix, but the operand is a vector of {}; call it "
                    "without by_row and by_column",
                    r.name, size));
}

void throw_depth_mismatch(const recipe& r, std::size_t left_rows, std::size_t left_cols, std::size_t right_rows,
                          std::size_t right_cols)
{
    throw error(
        fmt::format("{}: rows of {} elements on the left ({} x {}) meet rows of {} on the right ({} x {}); pass sides "
                    "with as many columns, sk::transpose of a side, or a part of it (sub)",
                    r.name, left_cols, left_rows, left_cols, right_cols, right_rows, right_cols));
}

void throw_no_shape(const recipe& r)
{
    throw error(fmt::format("{}: nothing tells over how many elements; pass a container, or sk::shape(n) or "
                            "sk::shape(rows, columns) as the first argument of the map, or assign it to a container "
                            "that has a size",
                            r.name));
}

void throw_indices_of_nothing(const char* what, const extent& indices)
{
    throw error(
        fmt::format("{}: the indices are {}, but what they point into has no elements", what, shape_text(indices)));
}

namespace
{

std::string part_text(const grid_part& p)
{
    if (!p.given()) return "a whole container";
    if (p.rows == 1) return fmt::format("a part from element {} on of {} elements", p.col, p.cols);
    return fmt::format("a part from ({}, {}) on of {} x {} elements", p.row, p.col, p.rows, p.cols);
}

} // namespace

void throw_part_mismatch(const recipe& r, const grid_part& one, const grid_part& other)
{
    throw error(fmt::format("{}: one of its hoods looks around in {}, another in {}; all hoods of a call take "
                            "sk::with_neighbours of parts that lie alike in containers of one shape: copy one of them "
                            "to a container first",
                            r.name, part_text(one), part_text(other)));
}

void throw_range(const caller& where, const char* what, const char* unit, std::size_t first, std::size_t count,
                 const extent& whole)
{
    throw error(fmt::format("{}:{}: {}: {} {} from number {} on do not lie in {}", where.file, where.line, what, count,
                            unit, first, shape_text(whole)));
}

void throw_steps(const caller& where, const char* what, const char* unit, std::size_t first, std::size_t count,
                 std::size_t step, const extent& whole)
{
    throw error(
        fmt::format("{}:{}: {}: {} {} from number {} on, {} apart, do not lie in {}; steps count from 1, and backwards "
                    "goes reversed()",
                    where.file, where.line, what, count, unit, first, step, shape_text(whole)));
}

void throw_no_axis(const caller& where, int axis)
{
    throw error(fmt::format("{}:{}: reversed: a matrix has no axis {}; axis 0 goes down the rows, axis 1 along each",
                            where.file, where.line, axis));
}

std::size_t length_of_diagonal(const caller& where, std::ptrdiff_t which, std::size_t rows, std::size_t cols)
{
    const auto r = static_cast<std::ptrdiff_t>(rows), c = static_cast<std::ptrdiff_t>(cols);
    if (which != 0 && (which >= c || -which >= r))
        throw error(fmt::format("{}:{}: diagonal: there is none with number {} in {}; 0 begins in the corner, 1 to the "
                                "right of it, -1 below it",
                                where.file, where.line, which, shape_text({2, rows, cols})));
    return static_cast<std::size_t>(which >= 0 ? std::min(r, c - which) : std::min(r + which, c));
}

void throw_size_mismatch(const char* what, std::size_t got, std::size_t wanted)
{
    throw error(fmt::format("{}: {} instead of {}", what, got, wanted));
}

} // namespace skelrt::detail
