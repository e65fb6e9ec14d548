#pragma once

#include "../view.hpp"
#include "storage.hpp"

#include <compare>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

/// The host's access to parts of containers.
namespace skelrt::detail
{

/// An access that is open; the library's.
class part_hold;
/// Waits until the host may access this part as asked, and throws the error of a task or call that should have written
/// it. Null: there are no elements.
SKELRT_API part_hold* acquire_part(storage& s, const placement& part, access how, const caller& where);
SKELRT_API void release_part(part_hold* held) noexcept;

/// Holds the host's access to a part. Movable; the moved-from one holds nothing.
class part_access_of_host
{
public:
    part_access_of_host(storage_ref data, const placement& part, access how, const caller& where)
        : data_(std::move(data)), place_(part)
    {
        if (!data_ || part.rows * part.cols == 0) return;
        held_ = acquire_part(*data_, part, how, where);
        checked_ = data_->checked;
    }
    part_access_of_host(part_access_of_host&& o) noexcept
        : data_(std::move(o.data_)), place_(o.place_), held_(std::exchange(o.held_, nullptr)), checked_(o.checked_)
    {
    }
    part_access_of_host(const part_access_of_host&) = delete;
    part_access_of_host& operator=(const part_access_of_host&) = delete;
    ~part_access_of_host()
    {
        if (held_) release_part(held_);
    }

    template <class T>
    T* first() const noexcept
    {
        return data_ && data_->data ? reinterpret_cast<T*>(data_->data) + place_.offset : nullptr;
    }
    const placement& place() const noexcept { return place_; }
    /// As in host_access.
    bool checked() const noexcept { return checked_; }

private:
    storage_ref data_;
    placement place_;
    part_hold* held_ = nullptr;
    bool checked_ = false;
};

/// Elements at equal distances: of a column, say.
template <class T>
class strided_iterator
{
public:
    using value_type = std::remove_const_t<T>;
    using difference_type = std::ptrdiff_t;
    using reference = T&;
    using pointer = T*;
    using iterator_category = std::random_access_iterator_tag;

    strided_iterator() = default;
    strided_iterator(T* at, std::ptrdiff_t stride) noexcept : at_(at), stride_(stride) {}

    T& operator*() const noexcept { return *at_; }
    T* operator->() const noexcept { return at_; }
    T& operator[](std::ptrdiff_t n) const noexcept { return at_[n * stride_]; }
    strided_iterator& operator+=(std::ptrdiff_t n) noexcept { return at_ += n * stride_, *this; }
    strided_iterator& operator-=(std::ptrdiff_t n) noexcept { return at_ -= n * stride_, *this; }
    strided_iterator& operator++() noexcept { return *this += 1; }
    strided_iterator& operator--() noexcept { return *this -= 1; }
    strided_iterator operator++(int) noexcept { return {std::exchange(at_, at_ + stride_), stride_}; }
    strided_iterator operator--(int) noexcept { return {std::exchange(at_, at_ - stride_), stride_}; }
    friend strided_iterator operator+(strided_iterator i, std::ptrdiff_t n) noexcept { return i += n; }
    friend strided_iterator operator+(std::ptrdiff_t n, strided_iterator i) noexcept { return i += n; }
    friend strided_iterator operator-(strided_iterator i, std::ptrdiff_t n) noexcept { return i -= n; }
    friend std::ptrdiff_t operator-(const strided_iterator& a, const strided_iterator& b) noexcept
    {
        return (a.at_ - b.at_) / a.stride_;
    }
    bool operator==(const strided_iterator& o) const noexcept { return at_ == o.at_; }
    std::strong_ordering operator<=>(const strided_iterator& o) const noexcept { return at_ <=> o.at_; }

private:
    T* at_ = nullptr;
    std::ptrdiff_t stride_ = 1;
};

} // namespace skelrt::detail
