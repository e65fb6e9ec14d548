#pragma once

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
    host_access(storage_ref data, access how) : data_(std::move(data)), how_(how)
    {
        if (data_) acquired_ = acquire(*data_, how_);
    }
    host_access(host_access&&) noexcept = default;
    host_access(const host_access&) = delete;
    host_access& operator=(const host_access&) = delete;
    ~host_access()
    {
        if (data_) release(*data_, how_, acquired_);
    }
    std::byte* bytes() const noexcept { return data_ ? data_->data : nullptr; }

private:
    storage_ref data_;
    access how_;
    managed_state* acquired_ = nullptr;
};

template <class T>
using unconst = std::remove_const_t<T>;

} // namespace detail

/// The elements of a vector in host memory while the view lives. Making one waits for this data only and throws the
/// error of a call that should have produced it. A call that needs the data throws while a view excludes it.
template <class T>
class host_vector
{
public:
    using value_type = std::remove_const_t<T>;

    host_vector(detail::storage_ref data, detail::access how, std::size_t size)
        : hold_(std::move(data), how), size_(size)
    {
    }

    T* data() const noexcept { return reinterpret_cast<T*>(hold_.bytes()); }
    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    T* begin() const noexcept { return data(); }
    T* end() const noexcept { return data() + size_; }
    T& operator[](std::size_t i) const noexcept { return data()[i]; }
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

    host_matrix(detail::storage_ref data, detail::access how, std::size_t rows, std::size_t cols)
        : hold_(std::move(data), how), rows_(rows), cols_(cols)
    {
    }

    T* data() const noexcept { return reinterpret_cast<T*>(hold_.bytes()); }
    std::size_t rows() const noexcept { return rows_; }
    std::size_t cols() const noexcept { return cols_; }
    std::size_t size() const noexcept { return rows_ * cols_; }
    T* begin() const noexcept { return data(); }
    T* end() const noexcept { return data() + size(); }
    T& operator()(std::size_t row, std::size_t col) const noexcept { return data()[row * cols_ + col]; }
    /// One row.
    std::span<T> operator[](std::size_t row) const noexcept { return {data() + row * cols_, cols_}; }

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

    host_tensor(detail::storage_ref data, detail::access how, const extents_type& extents)
        : hold_(std::move(data), how), extents_(extents)
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
    T& operator()(std::size_t i, std::size_t j, std::size_t k) const noexcept requires(Rank == 3)
    {
        return data()[(i * extents_[1] + j) * extents_[2] + k];
    }
    T& operator()(std::size_t i, std::size_t j, std::size_t k, std::size_t l) const noexcept requires(Rank == 4)
    {
        return data()[((i * extents_[1] + j) * extents_[2] + k) * extents_[3] + l];
    }

private:
    detail::host_access hold_;
    extents_type extents_;
};

/// Read and write; read only for a const container.
template <class T>
host_vector<T> host(vector<T>& x)
{
    return {x.storage(), detail::access::read_write, x.size()};
}
template <class T>
host_vector<const T> host(const vector<T>& x)
{
    return {x.storage(), detail::access::read, x.size()};
}
template <class T>
host_matrix<T> host(matrix<T>& x)
{
    return {x.storage(), detail::access::read_write, x.rows(), x.cols()};
}
template <class T>
host_matrix<const T> host(const matrix<T>& x)
{
    return {x.storage(), detail::access::read, x.rows(), x.cols()};
}

template <class T, int Rank>
host_tensor<T, Rank> host(tensor<T, Rank>& x)
{
    return {x.storage(), detail::access::read_write, x.extents()};
}
template <class T, int Rank>
host_tensor<const T, Rank> host(const tensor<T, Rank>& x)
{
    return {x.storage(), detail::access::read, x.extents()};
}

/// Read only: devices keep their copies.
template <class T>
auto host_read(const vector<T>& x)
{
    return host(x);
}
template <class T>
auto host_read(const matrix<T>& x)
{
    return host(x);
}

template <class T, int Rank>
auto host_read(const tensor<T, Rank>& x)
{
    return host(x);
}

/// Write only: the old elements are not brought here; every element must be written.
template <class T>
host_vector<T> host_write(vector<T>& x)
{
    return {x.storage(), detail::access::write, x.size()};
}
template <class T>
host_matrix<T> host_write(matrix<T>& x)
{
    return {x.storage(), detail::access::write, x.rows(), x.cols()};
}

template <class T, int Rank>
host_tensor<T, Rank> host_write(tensor<T, Rank>& x)
{
    return {x.storage(), detail::access::write, x.extents()};
}

/// Waits until every call made so far on x is done, wherever its data lies; throws the error of a call that failed.
template <class Container>
    requires requires(const Container& c) { c.storage(); }
void wait(const Container& x)
{
    if (x.storage()) detail::wait_for(*x.storage());
}

} // namespace skelrt
