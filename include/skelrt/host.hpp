// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "block.hpp"
#include "detail/host_parts.hpp"
#include "detail/index_checks.hpp"
#include "matrix.hpp"
#include "scalar.hpp"
#include "tensor.hpp"

#include <cstddef>
#include <span>
#include <type_traits>

namespace skelrt
{

namespace detail
{

/// Holds the host's access to a storage. Movable; the moved-from one holds nothing.
class host_access
{
public:
    host_access(storage_ref data, access how, const caller& where, int seen_by) : data_(std::move(data)), how_(how)
    {
        if (!data_) return;
        hold_ = open_on_host(*data_, how_, where, seen_by);
        checked_ = data_->checked;
    }
    host_access(host_access&&) noexcept = default;
    host_access(const host_access&) = delete;
    host_access& operator=(const host_access&) = delete;
    ~host_access()
    {
        if (data_) close_on_host(*data_, how_, hold_);
    }
    std::byte* bytes() const noexcept { return data_ ? hold_.data : nullptr; }
    /// Whether indices are checked. The same as long as the view lives: compilers take the question out of loops.
    bool checked() const noexcept { return checked_; }

private:
    storage_ref data_;
    access how_;
    host_hold hold_;
    bool checked_ = false;
};

template <class T>
struct has_elements_of {
    using type = int;
};
template <expression E>
struct has_elements_of<E> {
    using type = typename E::value;
};
template <class Call>
using elements_of = typename has_elements_of<Call>::type;

} // namespace detail

/// The elements of a vector in host memory while the view lives. Making one waits for this data only and throws the
/// error of a call that should have produced it. A call that needs the data throws while a view excludes it.
template <class T>
class host_vector
{
public:
    using value_type = std::remove_const_t<T>;

    host_vector(detail::storage_ref data, detail::access how, std::size_t size,
                detail::caller where = detail::caller::here(), int seen_by = detail::all_ranks)
        : hold_(std::move(data), how, where, seen_by), size_(size)
    {
    }

    T* data() const noexcept { return reinterpret_cast<T*>(hold_.bytes()); }
    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    T* begin() const noexcept { return data(); }
    T* end() const noexcept { return data() + size_; }
    T& operator[](std::size_t i) const
    {
        if (hold_.checked() && i >= size_) [[unlikely]]
            detail::throw_outside_of_view(i, size_);
        return data()[i];
    }
    T& front() const noexcept { return data()[0]; }
    T& back() const noexcept { return data()[size_ - 1]; }

private:
    detail::host_access hold_;
    std::size_t size_;
};

/// The elements of a matrix in host memory while the view lives; otherwise as host_vector.
template <class T>
class host_matrix
{
public:
    using value_type = std::remove_const_t<T>;

    host_matrix(detail::storage_ref data, detail::access how, std::size_t rows, std::size_t cols,
                detail::caller where = detail::caller::here(), int seen_by = detail::all_ranks)
        : hold_(std::move(data), how, where, seen_by), rows_(rows), cols_(cols)
    {
    }

    T* data() const noexcept { return reinterpret_cast<T*>(hold_.bytes()); }
    std::size_t rows() const noexcept { return rows_; }
    std::size_t cols() const noexcept { return cols_; }
    std::size_t size() const noexcept { return rows_ * cols_; }
    T* begin() const noexcept { return data(); }
    T* end() const noexcept { return data() + size(); }
    T& operator()(std::size_t row, std::size_t col) const
    {
        if (hold_.checked() && (row >= rows_ || col >= cols_)) [[unlikely]]
            detail::throw_outside_of_view(row, col, rows_, cols_);
        return data()[row * cols_ + col];
    }
    /// One row.
    std::span<T> operator[](std::size_t row) const
    {
        if (hold_.checked() && row >= rows_) [[unlikely]]
            detail::throw_outside_of_view(row, 0, rows_, cols_);
        return {data() + row * cols_, cols_};
    }

private:
    detail::host_access hold_;
    std::size_t rows_, cols_;
};

/// The elements of a tensor in host memory while the view lives; otherwise as host_vector.
template <class T, int Rank>
class host_tensor
{
public:
    using value_type = std::remove_const_t<T>;
    using extents_type = std::array<std::size_t, static_cast<std::size_t>(Rank)>;

    host_tensor(detail::storage_ref data, detail::access how, const extents_type& extents,
                detail::caller where = detail::caller::here(), int seen_by = detail::all_ranks)
        : hold_(std::move(data), how, where, seen_by), extents_(extents)
    {
    }

    T* data() const noexcept { return reinterpret_cast<T*>(hold_.bytes()); }
    const extents_type& extents() const noexcept { return extents_; }
    std::size_t size() const noexcept
    {
        std::size_t n = 1;
        for (const std::size_t e : extents_) n *= e;
        return n;
    }
    T* begin() const noexcept { return data(); }
    T* end() const noexcept { return data() + size(); }
    T& operator()(std::size_t i, std::size_t j, std::size_t k) const requires(Rank == 3)
    {
        if (hold_.checked()) check({i, j, k});
        return data()[(i * extents_[1] + j) * extents_[2] + k];
    }
    T& operator()(std::size_t i, std::size_t j, std::size_t k, std::size_t l) const requires(Rank == 4)
    {
        if (hold_.checked()) check({i, j, k, l});
        return data()[((i * extents_[1] + j) * extents_[2] + k) * extents_[3] + l];
    }

private:
    void check(const extents_type& at) const
    {
        for (std::size_t a = 0; a < at.size(); ++a)
            if (at[a] >= extents_[a]) detail::throw_outside_of_view(static_cast<int>(a), at[a], extents_[a]);
    }

    detail::host_access hold_;
    extents_type extents_;
};

/// The elements of part of a vector, or of a row or column, in host memory while the view lives. Making one waits for
/// the tasks on these elements and for calls on the container, and throws their errors. Tasks may use other elements
/// meanwhile; calls, which use all of a container, and views of all are refused.
template <class T>
class host_range
{
public:
    using value_type = std::remove_const_t<T>;
    using iterator = detail::strided_iterator<T>;

    host_range(detail::storage_ref data, const detail::placement& part, detail::access how, const detail::caller& where)
        : hold_(std::move(data), part, how, where), first_(hold_.template first<T>()), size_(part.cols),
          stride_(static_cast<std::ptrdiff_t>(hold_.stride()))
    {
    }

    /// The first one; the next lies `stride()` elements behind it.
    T* data() const noexcept { return first_; }
    std::ptrdiff_t stride() const noexcept { return stride_; }
    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    iterator begin() const noexcept { return {first_, stride_}; }
    iterator end() const noexcept { return begin() + static_cast<std::ptrdiff_t>(size_); }
    T& operator[](std::size_t i) const
    {
        if (hold_.checked() && i >= size_) [[unlikely]]
            detail::throw_outside_of_view(i, size_);
        return first_[static_cast<std::ptrdiff_t>(i) * stride_];
    }

private:
    detail::part_access_of_host hold_;
    T* first_;
    std::size_t size_;
    std::ptrdiff_t stride_;
};

/// The elements of a rectangle of a matrix in host memory while the view lives; otherwise as host_range.
template <class T>
class host_block
{
public:
    using value_type = std::remove_const_t<T>;

    host_block(detail::storage_ref data, const detail::placement& part, detail::access how, const detail::caller& where)
        : hold_(std::move(data), part, how, where), all_(hold_.template first<T>(), part.rows, part.cols, hold_.ld()),
          stride_(hold_.stride())
    {
    }

    T* data() const noexcept { return all_.data(); }
    std::size_t rows() const noexcept { return all_.rows(); }
    std::size_t cols() const noexcept { return all_.cols(); }
    /// From the start of a row to that of the next, in elements.
    std::size_t ld() const noexcept { return all_.ld(); }
    /// From one element of a row to the next.
    std::size_t stride() const noexcept { return stride_; }
    std::size_t size() const noexcept { return all_.size(); }
    T& operator()(std::size_t row, std::size_t col) const
    {
        if (hold_.checked() && (row >= rows() || col >= cols())) [[unlikely]]
            detail::throw_outside_of_view(row, col, rows(), cols());
        return data()[detail::way(row, ld()) + detail::way(col, stride_)];
    }
    /// One row. Throws error if its elements have others between them.
    std::span<T> operator[](std::size_t row) const
    {
        if (hold_.checked() && row >= rows()) [[unlikely]]
            detail::throw_outside_of_view(row, 0, rows(), cols());
        if (stride_ != 1) [[unlikely]]
            detail::throw_no_span(stride_);
        return {data() + detail::way(row, ld()), cols()};
    }

private:
    detail::part_access_of_host hold_;
    block<T> all_;
    std::size_t stride_;
};

/// Read and write; read only for a const container.
template <class T>
[[nodiscard("skelrt: a host view is open while it lives")]] host_vector<T>
host(vector<T>& x, detail::caller where = detail::caller::here())
{
    return {x.storage(), detail::access::read_write, x.size(), where};
}
template <class T>
[[nodiscard("skelrt: a host view is open while it lives")]] host_vector<const T>
host(const vector<T>& x, detail::caller where = detail::caller::here())
{
    return {x.storage(), detail::access::read, x.size(), where};
}
template <class T>
[[nodiscard("skelrt: a host view is open while it lives")]] host_matrix<T>
host(matrix<T>& x, detail::caller where = detail::caller::here())
{
    return {x.storage(), detail::access::read_write, x.rows(), x.cols(), where};
}
template <class T>
[[nodiscard("skelrt: a host view is open while it lives")]] host_matrix<const T>
host(const matrix<T>& x, detail::caller where = detail::caller::here())
{
    return {x.storage(), detail::access::read, x.rows(), x.cols(), where};
}

template <class T, int Rank>
[[nodiscard("skelrt: a host view is open while it lives")]] host_tensor<T, Rank>
host(tensor<T, Rank>& x, detail::caller where = detail::caller::here())
{
    return {x.storage(), detail::access::read_write, x.extents(), where};
}
template <class T, int Rank>
[[nodiscard("skelrt: a host view is open while it lives")]] host_tensor<const T, Rank>
host(const tensor<T, Rank>& x, detail::caller where = detail::caller::here())
{
    return {x.storage(), detail::access::read, x.extents(), where};
}

/// Read only: devices keep their copies.
template <class T>
[[nodiscard("skelrt: a host view is open while it lives")]] auto
host_read(const vector<T>& x, detail::caller where = detail::caller::here())
{
    return host(x, where);
}
template <class T>
[[nodiscard("skelrt: a host view is open while it lives")]] auto
host_read(const matrix<T>& x, detail::caller where = detail::caller::here())
{
    return host(x, where);
}

template <class T, int Rank>
[[nodiscard("skelrt: a host view is open while it lives")]] auto
host_read(const tensor<T, Rank>& x, detail::caller where = detail::caller::here())
{
    return host(x, where);
}

/// Write only: the old elements are not brought here; every element must be written.
template <class T>
[[nodiscard("skelrt: a host view is open while it lives")]] host_vector<T>
host_write(vector<T>& x, detail::caller where = detail::caller::here())
{
    return {x.storage(), detail::access::write, x.size(), where};
}
template <class T>
[[nodiscard("skelrt: a host view is open while it lives")]] host_matrix<T>
host_write(matrix<T>& x, detail::caller where = detail::caller::here())
{
    return {x.storage(), detail::access::write, x.rows(), x.cols(), where};
}

template <class T, int Rank>
[[nodiscard("skelrt: a host view is open while it lives")]] host_tensor<T, Rank>
host_write(tensor<T, Rank>& x, detail::caller where = detail::caller::here())
{
    return {x.storage(), detail::access::write, x.extents(), where};
}

/// Of part of a container: `sk::host(x.range(10, 5))`, `sk::host(m.row(2))`, `sk::host(blocks(i, j))`.
template <class T>
[[nodiscard("skelrt: a host view is open while it lives")]] host_range<T>
host(const view1<T>& part, detail::caller where = detail::caller::here())
{
    return {part.storage(), part.place(), detail::access::read_write, where};
}
template <class T>
[[nodiscard("skelrt: a host view is open while it lives")]] host_block<T>
host(const view2<T>& part, detail::caller where = detail::caller::here())
{
    return {part.storage(), part.place(), detail::access::read_write, where};
}
template <class T>
[[nodiscard("skelrt: a host view is open while it lives")]] host_range<const T>
host_read(const view1<T>& part, detail::caller where = detail::caller::here())
{
    return {part.storage(), part.place(), detail::access::read, where};
}
template <class T>
[[nodiscard("skelrt: a host view is open while it lives")]] host_block<const T>
host_read(const view2<T>& part, detail::caller where = detail::caller::here())
{
    return {part.storage(), part.place(), detail::access::read, where};
}
template <class T>
[[nodiscard("skelrt: a host view is open while it lives")]] host_range<T>
host_write(const view1<T>& part, detail::caller where = detail::caller::here())
{
    return {part.storage(), part.place(), detail::access::write, where};
}
template <class T>
[[nodiscard("skelrt: a host view is open while it lives")]] host_block<T>
host_write(const view2<T>& part, detail::caller where = detail::caller::here())
{
    return {part.storage(), part.place(), detail::access::write, where};
}

/// Calls have no elements yet.
SKELRT_DETAIL_REFUSED("skelrt: a host view needs a container: assign the call to one first", detail::expression<Other>)
host_vector<detail::elements_of<Other>> host(const Other&) SKELRT_DETAIL_DELETED;
SKELRT_DETAIL_REFUSED("skelrt: a host view needs a container: assign the call to one first", detail::expression<Other>)
host_vector<detail::elements_of<Other>> host_read(const Other&) SKELRT_DETAIL_DELETED;
SKELRT_DETAIL_REFUSED("skelrt: a host view needs a container: assign the call to one first", detail::expression<Other>)
host_vector<detail::elements_of<Other>> host_write(const Other&) SKELRT_DETAIL_DELETED;

/// Waits until every call and task made so far on x is done, wherever its data lies; of a view, of tasks those on these
/// elements. Throws the error of one that failed.
template <class Container>
    requires requires(const Container& c) { c.storage(); }
void wait(const Container& x)
{
    if (!x.storage()) return;
    if constexpr (requires { x.place(); }) detail::wait_for(*x.storage(), x.place());
    else detail::wait_for(*x.storage(), {0, 1, 1, 1, 1}); // a scalar
}

} // namespace skelrt
