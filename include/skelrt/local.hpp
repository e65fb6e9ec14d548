// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/items/dealing.hpp"
#include "host.hpp"

#include <optional>

/// Host views for programs of several ranks. One process that runs alone has all of every container.
namespace skelrt
{

/// What this rank holds of a vector, in host memory while the view lives; otherwise as host_vector. Elements have local
/// numbers: [i] is element number(i) of the vector, which is first() + i but for cyclic distributions.
template <class T>
class local_vector : public host_vector<T>
{
public:
    local_vector(const detail::storage_ref& data, detail::access how, const detail::caller& where)
        : host_vector<T>(data, how, data ? data->cols : 0, where, detail::own_part),
          axis_(detail::axes_of(data.get()).cols)
    {
    }
    std::size_t first() const noexcept { return axis_.first; }
    std::size_t number(std::size_t i) const noexcept { return axis_.number(i); }

private:
    detail::local_axis axis_;
};

/// What this rank holds of a matrix: element (i, j) here is element (row_number(i), column_number(j)) of the matrix,
/// which is (first_row() + i, first_col() + j) but for cyclic distributions.
template <class T>
class local_matrix : public host_matrix<T>
{
public:
    local_matrix(const detail::storage_ref& data, detail::access how, const detail::caller& where)
        : host_matrix<T>(data, how, data ? data->rows : 0, data ? data->cols : 0, where, detail::own_part),
          axes_(detail::axes_of(data.get()))
    {
    }
    std::size_t first_row() const noexcept { return axes_.rows.first; }
    std::size_t first_col() const noexcept { return axes_.cols.first; }
    std::size_t row_number(std::size_t i) const noexcept { return axes_.rows.number(i); }
    std::size_t column_number(std::size_t j) const noexcept { return axes_.cols.number(j); }
    /// From the start of a row to that of the next, in elements.
    std::size_t ld() const noexcept { return this->cols(); }

private:
    detail::local_axes axes_;
};

/// What this rank holds of a tensor: position i of the first axis here is number(i) of the tensor, which is first() + i
/// but for cyclic distributions.
template <class T, int Rank>
class local_tensor : public host_tensor<T, Rank>
{
public:
    local_tensor(const detail::storage_ref& data, detail::access how,
                 const typename host_tensor<T, Rank>::extents_type& whole, const detail::caller& where)
        : host_tensor<T, Rank>(data, how, held(data, whole), where, detail::own_part),
          axis_(detail::axes_of(data.get()).rows)
    {
    }
    std::size_t first() const noexcept { return axis_.first; }
    std::size_t number(std::size_t i) const noexcept { return axis_.number(i); }

private:
    static auto held(const detail::storage_ref& data, typename host_tensor<T, Rank>::extents_type extents)
    {
        extents[0] = data ? data->rows : 0;
        return extents;
    }
    detail::local_axis axis_;
};

/// The part of a container that this rank holds: read and write, or read only for a const container. Waits for this
/// part only, and sends nothing. What may write all ranks call, for others have copies; to read, each asks on its own.
template <class T>
[[nodiscard("skelrt: a host view is open while it lives")]] local_vector<T>
local(vector<T>& x, detail::caller where = detail::caller::here())
{
    return {x.storage(), detail::access::read_write, where};
}
template <class T>
[[nodiscard("skelrt: a host view is open while it lives")]] local_vector<const T>
local(const vector<T>& x, detail::caller where = detail::caller::here())
{
    return {x.storage(), detail::access::read, where};
}
template <class T>
[[nodiscard("skelrt: a host view is open while it lives")]] local_matrix<T>
local(matrix<T>& x, detail::caller where = detail::caller::here())
{
    return {x.storage(), detail::access::read_write, where};
}
template <class T>
[[nodiscard("skelrt: a host view is open while it lives")]] local_matrix<const T>
local(const matrix<T>& x, detail::caller where = detail::caller::here())
{
    return {x.storage(), detail::access::read, where};
}
template <class T, int Rank>
[[nodiscard("skelrt: a host view is open while it lives")]] local_tensor<T, Rank>
local(tensor<T, Rank>& x, detail::caller where = detail::caller::here())
{
    return {x.storage(), detail::access::read_write, x.extents(), where};
}
template <class T, int Rank>
[[nodiscard("skelrt: a host view is open while it lives")]] local_tensor<const T, Rank>
local(const tensor<T, Rank>& x, detail::caller where = detail::caller::here())
{
    return {x.storage(), detail::access::read, x.extents(), where};
}

namespace detail
{

/// Of a view that only one rank sees: whether this one does. The others have sent their part then.
SKELRT_API bool sees_view(int rank, storage* data, const caller& where);

} // namespace detail

/// All elements on one rank, read only; the other ranks get nothing, and go on once their part is sent:
/// if (auto v = sk::host_at(0, x)) print(*v). All ranks make the call.
template <class T>
[[nodiscard("skelrt: a host view is open while it lives")]] std::optional<host_vector<const T>>
host_at(int rank, const vector<T>& x, detail::caller where = detail::caller::here())
{
    if (!detail::sees_view(rank, x.storage().get(), where)) return std::nullopt;
    return host_vector<const T>(x.storage(), detail::access::read, x.size(), where, rank);
}
template <class T>
[[nodiscard("skelrt: a host view is open while it lives")]] std::optional<host_matrix<const T>>
host_at(int rank, const matrix<T>& x, detail::caller where = detail::caller::here())
{
    if (!detail::sees_view(rank, x.storage().get(), where)) return std::nullopt;
    return host_matrix<const T>(x.storage(), detail::access::read, x.rows(), x.cols(), where, rank);
}
template <class T, int Rank>
[[nodiscard("skelrt: a host view is open while it lives")]] std::optional<host_tensor<const T, Rank>>
host_at(int rank, const tensor<T, Rank>& x, detail::caller where = detail::caller::here())
{
    if (!detail::sees_view(rank, x.storage().get(), where)) return std::nullopt;
    return host_tensor<const T, Rank>(x.storage(), detail::access::read, x.extents(), where, rank);
}

} // namespace skelrt
