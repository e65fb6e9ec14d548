#pragma once

#include "detail/call.hpp"
#include "detail/storage.hpp"

#include <cstddef>
#include <type_traits>

namespace skelrt
{

namespace detail
{

template <class T>
concept element_type = std::is_trivially_copyable_v<T> && std::is_object_v<T> && !std::is_const_v<T>;

/// Where a view's elements lie in its storage.
struct placement {
    std::size_t offset = 0, rows = 0, cols = 0, ld = 0, stride = 1;
    std::array<std::size_t, 3> inner{}; ///< tensors: the extents behind the first (rows)
};

inline extent extent_of(int rank, const placement& p) { return {rank, p.rows, p.cols, p.inner}; }

template <class T>
concept expression = requires
{
    typename std::remove_cvref_t<T>::skelrt_expression;
};

template <class Destination, class Expression>
void assign_to_view(const Destination& to, const Expression& from);

} // namespace detail

/// Part of a vector, or a row or column of a matrix: an operand, and something to assign to. Keeps the data alive.
/// Copying a view copies the reference; assigning an expression to it writes the elements.
template <detail::element_type T>
class view1
{
public:
    using skelrt_view = void;
    using value_type = T;
    static constexpr int rank = 1;

    view1(detail::storage_ref data, std::size_t offset, std::size_t size, std::size_t stride)
        : data_(std::move(data)), place_{offset, 1, size, size * stride, stride}
    {
    }
    view1(const view1&) = default;

    std::size_t size() const noexcept { return place_.cols; }
    bool empty() const noexcept { return size() == 0; }

    /// The elements first .. first + count of this view.
    view1 range(std::size_t first, std::size_t count) const
    {
        if (first > size() || count > size() - first) detail::throw_range("view1::range", first, count, size());
        return view1(data_, place_.offset + first * place_.stride, count, place_.stride);
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

    const detail::storage_ref& storage() const noexcept { return data_; }
    const detail::placement& place() const noexcept { return place_; }

private:
    detail::storage_ref data_;
    detail::placement place_;
};

/// Rectangular part of a matrix: an operand, and something to assign to. Keeps the data alive.
template <detail::element_type T>
class view2
{
public:
    using skelrt_view = void;
    using value_type = T;
    static constexpr int rank = 2;

    view2(detail::storage_ref data, std::size_t offset, std::size_t rows, std::size_t cols, std::size_t ld)
        : data_(std::move(data)), place_{offset, rows, cols, ld, 1}
    {
    }
    view2(const view2&) = default;

    std::size_t rows() const noexcept { return place_.rows; }
    std::size_t cols() const noexcept { return place_.cols; }
    std::size_t size() const noexcept { return rows() * cols(); }
    bool empty() const noexcept { return size() == 0; }

    /// Row i; columns first .. first + count of all rows (sub), or column j.
    view1<T> row(std::size_t i) const
    {
        if (i >= rows()) detail::throw_range("view2::row", i, 1, rows());
        return view1<T>(data_, place_.offset + i * place_.ld, cols(), 1);
    }
    view1<T> column(std::size_t j) const
    {
        if (j >= cols()) detail::throw_range("view2::column", j, 1, cols());
        return view1<T>(data_, place_.offset + j, rows(), place_.ld);
    }
    /// The rectangle of `rows` x `cols` elements whose first element is (row, col).
    view2 sub(std::size_t row, std::size_t col, std::size_t rows, std::size_t cols) const
    {
        if (row > this->rows() || rows > this->rows() - row)
            detail::throw_range("view2::sub rows", row, rows, this->rows());
        if (col > this->cols() || cols > this->cols() - col)
            detail::throw_range("view2::sub columns", col, cols, this->cols());
        return view2(data_, place_.offset + row * place_.ld + col, rows, cols, place_.ld);
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

    const detail::storage_ref& storage() const noexcept { return data_; }
    const detail::placement& place() const noexcept { return place_; }

private:
    detail::storage_ref data_;
    detail::placement place_;
};

} // namespace skelrt
