// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "vector.hpp"

#include <array>
#include <vector>

namespace skelrt
{

/// A dense row-major matrix of any trivially copyable type; otherwise as sk::vector. Tiles are blocks of whole rows.
template <class T>
class matrix : public operators::enabled
{
    static_assert(detail::may_be_element<T>,
                  "skelrt: the elements of a container are trivially copyable, and no pointers: "
                  "numbers, and structs and arrays of them");

public:
    using value_type = T;
    static constexpr int rank = 2;

    matrix() = default;
    /// rows x cols value-initialised elements. Throws error if there is no memory for them.
    matrix(std::size_t rows, std::size_t cols) : matrix(rows, cols, T{}) {}
    matrix(std::size_t rows, std::size_t cols, const T& value) : matrix(rows, cols, uninitialized)
    {
        detail::fill_storage(*data_, &value);
    }
    matrix(std::size_t rows, std::size_t cols, uninitialized_t)
        : data_(detail::create_storage(rows, cols, sizeof(T), true))
    {
    }
    /// The elements row by row from `first`; reads rows * cols of them.
    template <std::forward_iterator Iterator>
    matrix(std::size_t rows, std::size_t cols, Iterator first) : matrix(rows, cols, uninitialized)
    {
        detail::copy_in<T>(*data_, first);
    }
    /// {{1, 2}, {3, 4}}; all rows have the same length, else error.
    matrix(std::initializer_list<std::initializer_list<T>> values)
        : matrix(values.size(), values.size() ? values.begin()->size() : 0, uninitialized)
    {
        std::vector<T> all;
        for (const auto& row : values) {
            if (row.size() != cols())
                detail::throw_size_mismatch("matrix: length of a row in {{...}, ...}", row.size(), cols());
            all.insert(all.end(), row.begin(), row.end());
        }
        detail::copy_in<T>(*data_, all.begin());
    }
    /// The caller's memory, row-major without gaps.
    matrix(borrow_t, T* data, std::size_t rows, std::size_t cols)
        : data_(detail::borrow_storage(data, rows, cols, sizeof(T), true))
    {
    }

    matrix(const matrix& o) : data_(o.data_ ? detail::clone_storage(*o.data_) : nullptr) {}
    matrix(matrix&&) noexcept = default;
    matrix& operator=(const matrix& o)
    {
        data_.copy(o.data_);
        return *this;
    }
    matrix& operator=(matrix&& o) noexcept
    {
        matrix taken(std::move(o));
        swap(taken);
        return *this;
    }
    ~matrix() { data_.let_go(); }

    template <detail::expression E>
    matrix(const E& e)
    {
        detail::assign_to_container(*this, e);
    }
    template <detail::expression E>
    matrix& operator=(const E& e)
    {
        detail::assign_to_container(*this, e);
        return *this;
    }

    std::size_t rows() const noexcept { return data_ ? data_->shape_rows : 0; }
    std::size_t cols() const noexcept { return data_ ? data_->shape_cols : 0; }
    std::size_t size() const noexcept { return rows() * cols(); }
    bool empty() const noexcept { return size() == 0; }
    void clear() noexcept { data_.clear(); }
    void swap(matrix& o) noexcept { std::swap(data_, o.data_); }
    friend void swap(matrix& a, matrix& b) noexcept { a.swap(b); }

    /// Other elements, and another shape, instead of those that it has: as the constructors. Into borrowed memory if
    /// the shape is the same; waits for it then. O(rows * cols).
    void assign(std::size_t rows, std::size_t cols, const T& value) { data_.take(matrix(rows, cols, value).data_); }
    template <std::forward_iterator Iterator>
    void assign(std::size_t rows, std::size_t cols, Iterator first)
    {
        data_.take(matrix(rows, cols, first).data_);
    }
    void assign(std::initializer_list<std::initializer_list<T>> values) { data_.take(matrix(values).data_); }

    /// The same elements in the order of memory as rows x cols of them. See sk::reshape.
    void reshape(std::size_t rows, std::size_t cols, detail::caller where = detail::caller::here())
    {
        data_.put(detail::reshape_storage(data_, std::array{rows, cols}, sizeof(T), where));
    }

    /// Keeps what both shapes have in common; new elements get `value`. Waits for the data. O(rows * cols).
    void resize(std::size_t rows, std::size_t cols, const T& value = T{})
    {
        if (rows == this->rows() && cols == this->cols()) return;
        matrix grown(rows, cols, value);
        if (data_) detail::copy_common(*grown.data_, *data_);
        swap(grown);
    }

    /// Parts as operands or as destinations. A view that is kept shows what is assigned to the matrix later, and writes
    /// to it, while the matrix keeps its shape; see view1.
    [[nodiscard]] view1<T> row(std::size_t i, detail::caller where = detail::caller::here()) const
    {
        return all().row(i, where);
    }
    [[nodiscard]] view1<T> column(std::size_t j, detail::caller where = detail::caller::here()) const
    {
        return all().column(j, where);
    }
    /// The elements at (i, i + which); of negative numbers, below the corner.
    [[nodiscard]] view1<T> diagonal(std::ptrdiff_t which = 0, detail::caller where = detail::caller::here()) const
    {
        return all().diagonal(which, where);
    }
    [[nodiscard]] view2<T> sub(std::size_t row, std::size_t col, std::size_t rows, std::size_t cols,
                               detail::caller where = detail::caller::here()) const
    {
        return all().sub(row, col, rows, cols, where);
    }
    /// Of rows and columns so far apart: m.sub(0, 0, 5, 3, 2, 1) has of rows 0, 2, 4, 6 and 8 the first three elements.
    [[nodiscard]] view2<T> sub(std::size_t row, std::size_t col, std::size_t rows, std::size_t cols,
                               std::size_t row_step, std::size_t col_step,
                               detail::caller where = detail::caller::here()) const
    {
        return all().sub(row, col, rows, cols, row_step, col_step, where);
    }
    /// The rows from the last to the first (axis 0), or each row from its last element to its first (axis 1).
    [[nodiscard]] view2<T> reversed(int axis, detail::caller where = detail::caller::here()) const
    {
        return all().reversed(axis, where);
    }
    [[nodiscard]] view2<T> all() const { return view2<T>(data_, 0, rows(), cols(), cols()); }

    void set_tiles(std::size_t n)
    {
        if (data_) detail::set_tiles(*data_, n);
    }

    const detail::data_ref& storage() const noexcept { return data_; }
    detail::placement place() const noexcept { return {0, rows(), cols(), cols(), 1}; }
    void adopt(detail::storage_ref data) { data_.put(std::move(data)); }
    detail::data_ref hand_over() noexcept { return std::exchange(data_, {}); }
    static detail::storage_ref make(std::size_t rows, std::size_t cols)
    {
        return detail::storage_ref(detail::create_result(rows, cols, sizeof(T), true));
    }

    // What is missed here: see sk::host.
    SKELRT_DETAIL_MISSED("skelrt: elements are read and written through a host view: auto h = sk::host(m); h(i, j)")
    T* begin() const SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_MISSED_END("skelrt: elements are read and written through a host view: auto h = sk::host(m); h(i, j)")
    T* end() const;
    SKELRT_DETAIL_MISSED("skelrt: elements are read and written through a host view: auto h = sk::host(m); h(i, j)")
    T* operator[](std::size_t) const SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_MISSED("skelrt: elements are read and written through a host view: auto h = sk::host(m); h(i, j)")
    T& operator()(std::size_t, std::size_t) const SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_REFUSED("skelrt: one value for all elements is sk::fill(m, value); see <skelrt/algorithms.hpp>",
                          std::is_arithmetic_v<Other>)
    matrix& operator=(const Other&) SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_REFUSED("skelrt: a container is not assigned from a standard one: sk::vector<T> x(v.begin(), "
                          "v.end()), or std::copy into sk::host_write(x)",
                          detail::standard_container<Other, T>)
    matrix& operator=(const Other&) SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_REFUSED("skelrt: a container is not assigned from a standard one: sk::vector<T> x(v.begin(), "
                          "v.end()), or std::copy into sk::host_write(x)",
                          detail::standard_container<Other, T>)
    matrix(const Other&) SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_REFUSED(
        "skelrt: a matrix takes no vector and no tensor: assign a map to a row of it, or one of t.plane(i)",
        detail::other_rank<Other, matrix>)
    matrix& operator=(const Other&) SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_REFUSED(
        "skelrt: a matrix takes no vector and no tensor: assign a map to a row of it, or one of t.plane(i)",
        detail::other_rank<Other, matrix>)
    matrix(const Other&) SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_REFUSED("skelrt: elements of another type are converted by a map: y = sk::map(SKELRT_FN((double v) { "
                          "return (float)v; }))(x)",
                          detail::other_type<Other, matrix>)
    matrix& operator=(const Other&) SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_REFUSED("skelrt: elements of another type are converted by a map: y = sk::map(SKELRT_FN((double v) { "
                          "return (float)v; }))(x)",
                          detail::other_type<Other, matrix>)
    matrix(const Other&) SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_REFUSED("skelrt: a view is copied by sk::eval: x = sk::eval(view)", detail::view_of<Other, matrix>)
    matrix& operator=(const Other&) SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_REFUSED("skelrt: a view is copied by sk::eval: x = sk::eval(view)", detail::view_of<Other, matrix>)
    matrix(const Other&) SKELRT_DETAIL_DELETED;

private:
    detail::data_ref data_;
};

} // namespace skelrt
