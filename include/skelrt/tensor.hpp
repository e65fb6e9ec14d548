// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "matrix.hpp"

#include <array>
#include <concepts>

namespace skelrt
{

/// A dense row-major tensor of rank 3 or 4 of any trivially copyable type; otherwise as sk::vector.
///
/// The first extent is the one that is cut: tiles are blocks of whole t(i, ...). Calls take tensors of the same extents
/// as operands; their functions may ask for sk::index3 or sk::index4. plane() and flat() give matrices of the same
/// elements.
template <class T, int Rank>
class tensor : public operators::enabled
{
    static_assert(detail::may_be_element<T>,
                  "skelrt: the elements of a container are trivially copyable, and no pointers: "
                  "numbers, and structs and arrays of them");
    static_assert(Rank == 3 || Rank == 4,
                  "skelrt: tensors have rank 3 or 4; smaller ones are sk::matrix and sk::vector");

public:
    using value_type = T;
    static constexpr int rank = Rank;
    using extents_type = std::array<std::size_t, static_cast<std::size_t>(Rank)>;

    tensor() = default;
    /// Value-initialised elements: sk::tensor<float, 3> t(planes, rows, cols). Throws error if there is no memory.
    template <std::convertible_to<std::size_t>... Extents>
        requires(sizeof...(Extents) == static_cast<std::size_t>(Rank))
    explicit tensor(Extents... extents) : tensor(extents_type{static_cast<std::size_t>(extents)...}) {}
    /// sk::tensor<float, 3> t({planes, rows, cols}), and t({planes, rows, cols}, 1.0f).
    explicit tensor(const extents_type& extents) : tensor(extents, T{}) {}
    template <std::convertible_to<std::size_t> I>
    explicit tensor(const I (&extents)[static_cast<std::size_t>(Rank)]) : tensor(extents_of(extents))
    {
    }
    tensor(const extents_type& extents, const T& value) : tensor(extents, uninitialized)
    {
        detail::fill_storage(*data_, &value);
    }
    tensor(const extents_type& extents, uninitialized_t) : data_(detail::create_tensor(extents, sizeof(T))) {}
    /// The elements in the order of memory, the last axis fastest, from `first`; reads as many as there are.
    template <std::forward_iterator Iterator>
    tensor(const extents_type& extents, Iterator first) : tensor(extents, uninitialized)
    {
        detail::copy_in<T>(*data_, first);
    }
    /// The caller's memory, without gaps.
    tensor(borrow_t, T* data, const extents_type& extents) : data_(detail::borrow_tensor(data, extents, sizeof(T))) {}

    tensor(const tensor& o) : data_(o.data_ ? detail::clone_storage(*o.data_) : nullptr) {}
    tensor(tensor&&) noexcept = default;
    tensor& operator=(const tensor& o)
    {
        data_.copy(o.data_);
        return *this;
    }
    tensor& operator=(tensor&& o) noexcept
    {
        tensor taken(std::move(o));
        swap(taken);
        return *this;
    }
    ~tensor() { data_.let_go(); }

    template <detail::expression E>
    tensor(const E& e)
    {
        detail::assign_to_container(*this, e);
    }
    template <detail::expression E>
    tensor& operator=(const E& e)
    {
        detail::assign_to_container(*this, e);
        return *this;
    }

    /// Number of positions on axis k; axis 0 is the one that tiles cut.
    std::size_t extent(int k) const noexcept { return extents()[static_cast<std::size_t>(k)]; }
    extents_type extents() const noexcept
    {
        extents_type all{};
        if (!data_) return all;
        all[0] = data_->shape_rows;
        std::copy_n(data_->inner.begin(), Rank - 1, all.begin() + 1);
        return all;
    }
    std::size_t size() const noexcept { return data_ ? data_->shape_rows * data_->shape_cols : 0; }
    bool empty() const noexcept { return size() == 0; }
    void clear() noexcept { data_.clear(); }
    void swap(tensor& o) noexcept { std::swap(data_, o.data_); }
    friend void swap(tensor& a, tensor& b) noexcept { a.swap(b); }

    /// Other elements, and other extents, instead of those that it has: as the constructors. Into borrowed memory if
    /// the extents are the same; waits for it then. O(size).
    void assign(const extents_type& extents, const T& value) { data_.take(tensor(extents, value).data_); }
    template <std::forward_iterator Iterator>
    void assign(const extents_type& extents, Iterator first)
    {
        data_.take(tensor(extents, first).data_);
    }

    /// Keeps the elements at positions that both shapes have; new ones get `value`. Waits for the data. O(size).
    void resize(const extents_type& extents, const T& value = T{})
    {
        if (data_ && extents == this->extents()) return;
        tensor grown(extents, value);
        if (data_) detail::copy_common(*grown.data_, *data_);
        swap(grown);
    }
    /// The same elements in the order of memory as those of other extents. See sk::reshape.
    void reshape(const extents_type& extents, detail::caller where = detail::caller::here())
    {
        data_.put(detail::reshape_storage(data_, extents, sizeof(T), where));
    }

    /// t(i, ., .): the last two axes as a matrix, an operand and something to assign to, also after the tensor has
    /// been given other elements of the same shape; see view1. Throws error where there is none.
    [[nodiscard]] view2<T> plane(std::size_t i, detail::caller where = detail::caller::here()) const requires(Rank == 3)
    {
        return plane_number(where, i);
    }
    /// t(i, j, ., .)
    [[nodiscard]] view2<T> plane(std::size_t i, std::size_t j, detail::caller where = detail::caller::here()) const
        requires(Rank == 4)
    {
        if (j >= extent(1))
            detail::throw_range(where, "tensor::plane, second axis", "planes", j, 1, detail::extent_of(Rank, place()));
        return plane_number(where, i, j, extent(1));
    }
    /// All elements as a matrix: the first axis down, all others along the rows.
    [[nodiscard]] view2<T> flat() const
    {
        const detail::placement p = place();
        return view2<T>(data_, 0, p.rows, p.cols, p.cols);
    }

    void set_tiles(std::size_t n)
    {
        if (data_) detail::set_tiles(*data_, n);
    }

    const detail::data_ref& storage() const noexcept { return data_; }
    detail::placement place() const noexcept
    {
        if (!data_) return {};
        return {0, data_->shape_rows, data_->shape_cols, data_->shape_cols, 1, data_->inner};
    }
    void adopt(detail::storage_ref data) { data_.put(std::move(data)); }
    detail::data_ref hand_over() noexcept { return std::exchange(data_, {}); }
    /// For the library: the extents behind the first are the caller's to set.
    static detail::storage_ref make(std::size_t rows, std::size_t cols) { return matrix<T>::make(rows, cols); }

    // What is missed here: see sk::host.
    SKELRT_DETAIL_MISSED("skelrt: elements are read and written through a host view: auto h = sk::host(t); h(i, j, k)")
    T* begin() const SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_MISSED_END(
        "skelrt: elements are read and written through a host view: auto h = sk::host(t); h(i, j, k)")
    T* end() const;
    SKELRT_DETAIL_MISSED("skelrt: elements are read and written through a host view: auto h = sk::host(t); h(i, j, k)")
    T* operator[](std::size_t) const SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_MISSED("skelrt: elements are read and written through a host view: auto h = sk::host(t); h(i, j, k)")
    T& operator()(std::size_t, std::size_t, std::size_t) const SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_MISSED("skelrt: elements are read and written through a host view: auto h = sk::host(t); h(i, j, k)")
    T& operator()(std::size_t, std::size_t, std::size_t, std::size_t) const SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_REFUSED("skelrt: one value for all elements is sk::fill(t, value); see <skelrt/algorithms.hpp>",
                          std::is_arithmetic_v<Other>)
    tensor& operator=(const Other&) SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_REFUSED("skelrt: a container is not assigned from a standard one: sk::vector<T> x(v.begin(), "
                          "v.end()), or std::copy into sk::host_write(x)",
                          detail::standard_container<Other, T>)
    tensor& operator=(const Other&) SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_REFUSED("skelrt: a container is not assigned from a standard one: sk::vector<T> x(v.begin(), "
                          "v.end()), or std::copy into sk::host_write(x)",
                          detail::standard_container<Other, T>)
    tensor(const Other&) SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_REFUSED("skelrt: a tensor takes no vector and no matrix: assign to t.plane(i) or t.flat()",
                          detail::other_rank<Other, tensor>)
    tensor& operator=(const Other&) SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_REFUSED("skelrt: a tensor takes no vector and no matrix: assign to t.plane(i) or t.flat()",
                          detail::other_rank<Other, tensor>)
    tensor(const Other&) SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_REFUSED("skelrt: elements of another type are converted by a map: y = sk::map(SKELRT_FN((double v) { "
                          "return (float)v; }))(x)",
                          detail::other_type<Other, tensor>)
    tensor& operator=(const Other&) SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_REFUSED("skelrt: elements of another type are converted by a map: y = sk::map(SKELRT_FN((double v) { "
                          "return (float)v; }))(x)",
                          detail::other_type<Other, tensor>)
    tensor(const Other&) SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_REFUSED("skelrt: a view is copied by sk::eval: x = sk::eval(view)", detail::view_of<Other, tensor>)
    tensor& operator=(const Other&) SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_REFUSED("skelrt: a view is copied by sk::eval: x = sk::eval(view)", detail::view_of<Other, tensor>)
    tensor(const Other&) SKELRT_DETAIL_DELETED;

private:
    template <class I>
    static extents_type extents_of(const I (&extents)[static_cast<std::size_t>(Rank)])
    {
        extents_type all{};
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::size_t>(extents[i]);
        return all;
    }

    view2<T> plane_number(const detail::caller& where, std::size_t i, std::size_t j = 0, std::size_t per = 1) const
    {
        if (i >= extent(0))
            detail::throw_range(where, "tensor::plane", "planes", i, 1, detail::extent_of(Rank, place()));
        const std::size_t rows = extent(Rank - 2), cols = extent(Rank - 1);
        return view2<T>(data_, (i * per + j) * rows * cols, rows, cols, cols);
    }

    detail::data_ref data_;
};

} // namespace skelrt
