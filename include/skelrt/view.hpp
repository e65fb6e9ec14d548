// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/call.hpp"
#include "detail/refused.hpp"
#include "detail/storage.hpp"

#include <cstddef>
#include <type_traits>

#if defined(_GLIBCXX_DEBUG) && !defined(SKELRT_WITH_GLIBCXX_DEBUG)
#error                                                                                                                 \
    "skelrt: with _GLIBCXX_DEBUG a std::vector is laid out otherwise than in libskelrt; use _GLIBCXX_ASSERTIONS, or build " \
    "the library with _GLIBCXX_DEBUG, too, and define SKELRT_WITH_GLIBCXX_DEBUG in both"
#endif

namespace skelrt
{

/// What may stand beside the operators of arithmetic.hpp derives from enabled: they lie here and are found for nothing
/// else.
namespace operators
{
struct enabled {
};
} // namespace operators

namespace detail
{

/// The most that an element type may ask for: so are tiles and all other memory for elements aligned.
inline constexpr std::size_t most_align = 128;

template <class T>
concept element_type = std::is_trivially_copyable_v<T> && std::is_object_v<T> && !std::is_const_v<T> &&
                       !std::is_pointer_v<T> && alignof(T) <= most_align;

template <class T>
inline constexpr bool may_be_element = element_type<T>; // compilers say less about it

/// Where a view's elements lie in its storage.
struct placement {
    std::size_t offset = 0, rows = 0, cols = 0, ld = 0, stride = 1;
    std::array<std::size_t, 3> inner{}; ///< tensors: the extents behind the first (rows)
    friend bool operator==(const placement&, const placement&) = default;
};

/// How many positions from `first` on, `step` apart, an axis of so many has.
constexpr std::size_t steps_from(std::size_t first, std::size_t step, std::size_t count)
{
    return first < count && step > 0 ? (count - 1 - first) / step + 1 : 0;
}

inline extent extent_of(int rank, const placement& p) { return {rank, p.rows, p.cols, p.inner}; }

template <class T>
concept expression = requires
{
    typename std::remove_cvref_t<T>::skelrt_expression;
};

template <class Destination, class Expression>
void assign_to_view(const Destination& to, const Expression& from);

} // namespace detail

/// Part of a vector, or a row or column of a matrix, forwards or backwards: an operand, and something to assign to.
/// Keeps the data alive. Copying a view copies the reference; assigning an expression to it writes the elements.
///
/// A view shows its container's elements, now and later: what is assigned to the container, in place or not, is seen
/// through the view, and what is assigned to the view is part of the container, as long as the container keeps its
/// shape. After clear(), resize() and results of another shape the view keeps the elements that it showed before, which
/// are the container's no more. Moves and swaps take views along with the elements, like the iterators of a
/// std::vector.
template <class T>
class view1 : public operators::enabled
{
public:
    using skelrt_view = void;
    using value_type = T;
    static constexpr int rank = 1;

    view1(detail::data_ref data, std::size_t offset, std::size_t size, std::size_t stride)
        : view1(std::move(data), offset, size, stride, {1, size})
    {
    }
    view1(detail::data_ref data, std::size_t offset, std::size_t size, std::size_t stride,
          const detail::grid_part& grid)
        : data_(std::move(data)), place_{offset, 1, size, size * stride, stride}, grid_(grid)
    {
    }
    view1(const view1&) = default;

    std::size_t size() const noexcept { return place_.cols; }
    bool empty() const noexcept { return size() == 0; }

    /// The elements first .. first + count of this view, of the same container.
    [[nodiscard]] view1 range(std::size_t first, std::size_t count, detail::caller where = detail::caller::here()) const
    {
        if (first > size() || count > size() - first)
            detail::throw_range(where, "view1::range", "elements", first, count, {1, 1, size()});
        return view1(data_, offset_of(first), count, place_.stride, {1, grid_.cols, 0, grid_.col + first});
    }
    /// `count` elements from `first` on, `step` apart.
    [[nodiscard]] view1 range(std::size_t first, std::size_t count, std::size_t step,
                              detail::caller where = detail::caller::here()) const
    {
        if (count > detail::steps_from(first, step, size()) || step == 0 || first > size())
            detail::throw_steps(where, "range", "elements", first, count, step, {1, 1, size()});
        const std::size_t at = grid_.col + first;
        return view1(data_, offset_of(first), count, place_.stride * step,
                     {1, detail::steps_from(at % step, step, grid_.cols), 0, at / step});
    }

    /// The elements from the last to the first.
    [[nodiscard]] view1 reversed() const
    {
        return view1(data_, empty() ? place_.offset : offset_of(size() - 1), size(), 0 - place_.stride,
                     {1, grid_.cols, 0, grid_.cols - grid_.col - size()});
    }

    template <detail::expression E>
    view1& operator=(const E& e)
    {
        detail::assign_to_view(*this, e);
        return *this;
    }
    view1& operator=(const view1& other)
    {
        detail::assign_to_view(*this, other);
        return *this;
    }

    const detail::data_ref& storage() const noexcept { return data_; }
    const detail::placement& place() const noexcept { return place_; }
    /// For the library: where it lies in what sk::with_neighbours lets hoods see.
    const detail::grid_part& grid() const noexcept { return grid_; }

    // What is missed here: see sk::host.
    SKELRT_DETAIL_MISSED("skelrt: elements are read and written through a host view: auto h = sk::host(x); h[i]")
    T* begin() const SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_MISSED_END("skelrt: elements are read and written through a host view: auto h = sk::host(x); h[i]")
    T* end() const;
    SKELRT_DETAIL_MISSED("skelrt: elements are read and written through a host view: auto h = sk::host(x); h[i]")
    T& operator[](std::size_t) const SKELRT_DETAIL_DELETED;

private:
    std::size_t offset_of(std::size_t i) const noexcept { return place_.offset + i * place_.stride; }

    detail::data_ref data_;
    detail::placement place_;
    detail::grid_part grid_;
};

/// Rectangular part of a matrix, or every so many rows and columns of one: an operand, and something to assign to.
/// Keeps the data alive. What it shows after the matrix has been assigned to: see view1.
template <class T>
class view2 : public operators::enabled
{
public:
    using skelrt_view = void;
    using value_type = T;
    static constexpr int rank = 2;

    view2(detail::data_ref data, std::size_t offset, std::size_t rows, std::size_t cols, std::size_t ld)
        : view2(std::move(data), {offset, rows, cols, ld, 1}, {rows, cols})
    {
    }
    view2(detail::data_ref data, const detail::placement& place, const detail::grid_part& grid)
        : data_(std::move(data)), place_(place), grid_(grid)
    {
    }
    view2(const view2&) = default;

    std::size_t rows() const noexcept { return place_.rows; }
    std::size_t cols() const noexcept { return place_.cols; }
    std::size_t size() const noexcept { return rows() * cols(); }
    bool empty() const noexcept { return size() == 0; }

    /// Row i; columns first .. first + count of all rows (sub), or column j.
    [[nodiscard]] view1<T> row(std::size_t i, detail::caller where = detail::caller::here()) const
    {
        if (i >= rows()) detail::throw_range(where, "row", "rows", i, 1, {2, rows(), cols()});
        return view1<T>(data_, offset_of(i, 0), cols(), place_.stride, {1, grid_.cols, 0, grid_.col});
    }
    [[nodiscard]] view1<T> column(std::size_t j, detail::caller where = detail::caller::here()) const
    {
        if (j >= cols()) detail::throw_range(where, "column", "columns", j, 1, {2, rows(), cols()});
        return view1<T>(data_, offset_of(0, j), rows(), place_.ld, {1, grid_.rows, 0, grid_.row});
    }
    /// The elements at (i, i + which): which = 0 begins in the corner, 1 to the right of it, -1 below it.
    [[nodiscard]] view1<T> diagonal(std::ptrdiff_t which = 0, detail::caller where = detail::caller::here()) const
    {
        const std::size_t n = detail::length_of_diagonal(where, which, rows(), cols());
        const std::size_t first =
            which < 0 ? offset_of(static_cast<std::size_t>(-which), 0) : offset_of(0, static_cast<std::size_t>(which));
        return view1<T>(data_, first, n, place_.ld + place_.stride);
    }
    /// The rectangle of `rows` x `cols` elements whose first element is (row, col).
    [[nodiscard]] view2 sub(std::size_t row, std::size_t col, std::size_t rows, std::size_t cols,
                            detail::caller where = detail::caller::here()) const
    {
        if (row > this->rows() || rows > this->rows() - row)
            detail::throw_range(where, "sub", "rows", row, rows, {2, this->rows(), this->cols()});
        if (col > this->cols() || cols > this->cols() - col)
            detail::throw_range(where, "sub", "columns", col, cols, {2, this->rows(), this->cols()});
        return view2(data_, {offset_of(row, col), rows, cols, place_.ld, place_.stride},
                     {grid_.rows, grid_.cols, grid_.row + row, grid_.col + col});
    }
    /// The same of rows that are `row_step` apart and columns that are `col_step` apart: element (i, j) is this view's
    /// (row + i * row_step, col + j * col_step).
    [[nodiscard]] view2 sub(std::size_t row, std::size_t col, std::size_t rows, std::size_t cols, std::size_t row_step,
                            std::size_t col_step, detail::caller where = detail::caller::here()) const
    {
        const detail::extent all{2, this->rows(), this->cols()};
        if (rows > detail::steps_from(row, row_step, all.rows) || row_step == 0 || row > all.rows)
            detail::throw_steps(where, "sub", "rows", row, rows, row_step, all);
        if (cols > detail::steps_from(col, col_step, all.cols) || col_step == 0 || col > all.cols)
            detail::throw_steps(where, "sub", "columns", col, cols, col_step, all);
        const std::size_t down = grid_.row + row, along = grid_.col + col;
        const detail::grid_part seen{detail::steps_from(down % row_step, row_step, grid_.rows),
                                     detail::steps_from(along % col_step, col_step, grid_.cols), down / row_step,
                                     along / col_step};
        return view2(data_, {offset_of(row, col), rows, cols, place_.ld * row_step, place_.stride * col_step}, seen);
    }

    /// The rows from the last to the first (axis 0), or each row from its last element to its first (axis 1). Throws
    /// error for another axis.
    [[nodiscard]] view2 reversed(int axis, detail::caller where = detail::caller::here()) const
    {
        if (axis != 0 && axis != 1) detail::throw_no_axis(where, axis);
        detail::placement p = place_;
        detail::grid_part seen = grid_;
        if (axis == 0) {
            if (!empty()) p.offset = offset_of(rows() - 1, 0);
            p.ld = 0 - p.ld;
            seen.row = grid_.rows - grid_.row - rows();
        } else {
            if (!empty()) p.offset = offset_of(0, cols() - 1);
            p.stride = 0 - p.stride;
            seen.col = grid_.cols - grid_.col - cols();
        }
        return view2(data_, p, seen);
    }

    template <detail::expression E>
    view2& operator=(const E& e)
    {
        detail::assign_to_view(*this, e);
        return *this;
    }
    view2& operator=(const view2& other)
    {
        detail::assign_to_view(*this, other);
        return *this;
    }

    const detail::data_ref& storage() const noexcept { return data_; }
    const detail::placement& place() const noexcept { return place_; }
    /// For the library: where it lies in what sk::with_neighbours lets hoods see.
    const detail::grid_part& grid() const noexcept { return grid_; }

    // What is missed here: see sk::host.
    SKELRT_DETAIL_MISSED("skelrt: elements are read and written through a host view: auto h = sk::host(m); h(i, j)")
    T* begin() const SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_MISSED_END("skelrt: elements are read and written through a host view: auto h = sk::host(m); h(i, j)")
    T* end() const;
    SKELRT_DETAIL_MISSED("skelrt: elements are read and written through a host view: auto h = sk::host(m); h(i, j)")
    T* operator[](std::size_t) const SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_MISSED("skelrt: elements are read and written through a host view: auto h = sk::host(m); h(i, j)")
    T& operator()(std::size_t, std::size_t) const SKELRT_DETAIL_DELETED;

private:
    std::size_t offset_of(std::size_t row, std::size_t col) const noexcept
    {
        return place_.offset + row * place_.ld + col * place_.stride;
    }

    detail::data_ref data_;
    detail::placement place_;
    detail::grid_part grid_;
};

} // namespace skelrt
