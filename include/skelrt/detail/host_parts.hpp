// SPDX-License-Identifier: BSD-3-Clause
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
/// Where a view of a part finds its elements. With several ranks they lie together, apart from the container.
struct shown_part {
    part_hold* held = nullptr;
    std::byte* first = nullptr; ///< null: there are no elements
    std::size_t ld = 0, stride = 1;
};
/// Waits until the host may access this part as asked, and throws the error of a task or call that should have written
/// it. With several ranks all call it: to read, each sends what it holds to all others.
SKELRT_API shown_part acquire_part(storage& s, const placement& part, access how, const caller& where);
/// What was written is kept by who holds it. Sends nothing.
SKELRT_API void release_part(part_hold* held) noexcept;

/// Holds the host's access to a part. Movable; the moved-from one holds nothing.
class part_access_of_host
{
public:
    part_access_of_host(storage_ref data, const placement& part, access how, const caller& where)
        : data_(std::move(data)), shown_{nullptr, nullptr, part.ld, part.stride}
    {
        if (!data_ || part.rows * part.cols == 0) return;
        shown_ = acquire_part(*data_, part, how, where);
        checked_ = data_->checked;
    }
    part_access_of_host(part_access_of_host&& o) noexcept
        : data_(std::move(o.data_)), shown_(std::exchange(o.shown_, {})), checked_(o.checked_)
    {
    }
    part_access_of_host(const part_access_of_host&) = delete;
    part_access_of_host& operator=(const part_access_of_host&) = delete;
    ~part_access_of_host()
    {
        if (shown_.held) release_part(shown_.held);
    }

    template <class T>
    T* first() const noexcept
    {
        return reinterpret_cast<T*>(shown_.first);
    }
    std::size_t ld() const noexcept { return shown_.ld; }
    std::size_t stride() const noexcept { return shown_.stride; }
    /// As in host_access.
    bool checked() const noexcept { return checked_; }

private:
    storage_ref data_;
    shown_part shown_;
    bool checked_ = false;
};

/// Elements at equal distances, forwards or backwards: of a column, say.
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
    std::strong_ordering operator<=>(const strided_iterator& o) const noexcept
    {
        return stride_ < 0 ? o.at_ <=> at_ : at_ <=> o.at_;
    }

private:
    T* at_ = nullptr;
    std::ptrdiff_t stride_ = 1;
};

} // namespace skelrt::detail
