// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/refused.hpp"
#include "view.hpp"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <utility>

namespace skelrt
{

/// Tag for containers on memory that belongs to the caller: sk::vector<float> v(sk::borrow, pointer, n).
struct borrow_t {
    explicit borrow_t() = default;
};
inline constexpr borrow_t borrow{}; ///< that tag

/// Tag for containers whose elements have no value yet: sk::vector<float> v(n, sk::uninitialized).
struct uninitialized_t {
    explicit uninitialized_t() = default;
};
inline constexpr uninitialized_t uninitialized{}; ///< that tag

template <class T>
class vector;

namespace detail
{

template <class Container, class Expression>
void assign_to_container(Container& to, const Expression& from);

/// Elements instead of `erased` others; see detail/splice.hpp.
template <class T, class Source>
void splice(vector<T>& x, std::size_t first, std::size_t erased, const Source& added, const char* call,
            const caller& where);

/// What elements can be appended from at once: of ours, of the standard library's kind, or a call.
template <class Source, class T>
concept source_of = own_container<Source> || standard_container<Source, T> || expression<Source>;

/// Of the whole container's elements, from `first` on, those that lie here.
template <class T, class Iterator>
void copy_in(storage& s, Iterator first)
{
    const auto before = static_cast<std::iter_difference_t<Iterator>>(s.first);
    std::copy_n(std::ranges::next(first, before), s.count(), reinterpret_cast<T*>(s.data));
}

} // namespace detail

/// A vector of n elements of any trivially copyable type, on all devices of the node at once.
///
/// Value semantics: copies are deep (and asynchronous; into borrowed memory of that size they wait), moves and swaps
/// are O(1). Elements are read and written on the host through sk::host(x). Assigning a skeleton call evaluates it; it
/// returns at once and the data is waited for where it is read. Starts in host memory; tasks get it in equal tiles from
/// the first call that is worth a task. Thread safety: as std::vector.
template <class T>
class vector : public operators::enabled
{
    static_assert(detail::may_be_element<T>,
                  "skelrt: the elements of a container are trivially copyable, and no pointers: "
                  "numbers, and structs and arrays of them");

public:
    using value_type = T;
    static constexpr int rank = 1;

    vector() = default;
    /// n value-initialised elements. Throws error if there is no memory for them.
    explicit vector(std::size_t n) : vector(n, T{}) {}
    vector(std::size_t n, const T& value) : vector(n, uninitialized) { detail::fill_storage(*data_, &value); }
    vector(std::size_t n, uninitialized_t) : data_(detail::create_storage(1, n, sizeof(T), false)) {}
    vector(std::initializer_list<T> values) : vector(values.begin(), values.end()) {}
    template <std::forward_iterator Iterator>
    vector(Iterator first, Iterator last) : vector(static_cast<std::size_t>(std::distance(first, last)), uninitialized)
    {
        detail::copy_in<T>(*data_, first);
    }
    /// The caller's memory: results land there by the time a view is open or the vector is gone, cleared, resized, or
    /// given a result of another size: all these wait until no call uses the memory any more.
    vector(borrow_t, T* data, std::size_t n) : data_(detail::borrow_storage(data, 1, n, sizeof(T), false)) {}

    vector(const vector& o) : data_(o.data_ ? detail::clone_storage(*o.data_) : nullptr) {}
    vector(vector&&) noexcept = default;
    vector& operator=(const vector& o)
    {
        data_.copy(o.data_);
        return *this;
    }
    vector& operator=(vector&& o) noexcept
    {
        vector taken(std::move(o));
        swap(taken);
        return *this;
    }
    ~vector() { data_.let_go(); }

    /// A skeleton call's result; asynchronous.
    template <detail::expression E>
    vector(const E& e)
    {
        detail::assign_to_container(*this, e);
    }
    template <detail::expression E>
    vector& operator=(const E& e)
    {
        detail::assign_to_container(*this, e);
        return *this;
    }

    std::size_t size() const noexcept { return data_ ? data_->shape_cols : 0; }
    bool empty() const noexcept { return size() == 0; }
    void clear() noexcept { data_.clear(); }
    void swap(vector& o) noexcept { std::swap(data_, o.data_); }
    friend void swap(vector& a, vector& b) noexcept { a.swap(b); }

    /// Other elements instead of those that it has: n copies of one value, those of a sequence, of a standard container
    /// or an open host view. Into borrowed memory if there are as many; waits for it then. O(n).
    void assign(std::size_t n, const T& value) { data_.take(vector(n, value).data_); }
    template <std::forward_iterator Iterator>
    void assign(Iterator first, Iterator last)
    {
        data_.take(vector(first, last).data_);
    }
    void assign(std::initializer_list<T> values) { data_.take(vector(values).data_); }
    template <detail::standard_container<T> Values>
    void assign(const Values& values)
    {
        data_.take(vector(values.begin(), values.end()).data_);
    }

    // What changes the size makes other memory for all elements: O(size), asynchronous, on the devices where they lie,
    // and nothing has changed if it throws. There is no spare capacity: who has many elements adds them at once. Views
    // keep what they showed; borrowed memory stays as it is, and is the container's no more. With several ranks all
    // make the call. Errors (sk::error): positions that are not there.

    /// Puts elements behind the last: n copies of one value, those of a sequence, of a container or view (of this one,
    /// too), of a standard container or of a call.
    void append(std::size_t n, const T& value, detail::caller where = detail::caller::here())
    {
        detail::splice(*this, size(), 0, vector(n, value), "vector::append", where);
    }
    template <std::forward_iterator Iterator>
    void append(Iterator first, Iterator last, detail::caller where = detail::caller::here())
    {
        detail::splice(*this, size(), 0, vector(first, last), "vector::append", where);
    }
    void append(std::initializer_list<T> values, detail::caller where = detail::caller::here())
    {
        detail::splice(*this, size(), 0, vector(values), "vector::append", where);
    }
    template <detail::source_of<T> Source>
    void append(const Source& added, detail::caller where = detail::caller::here())
    {
        detail::splice(*this, size(), 0, added, "vector::append", where);
    }

    /// The same in front of element number `at`; behind the last where that is size().
    void insert(std::size_t at, const T& value, detail::caller where = detail::caller::here())
    {
        detail::splice(*this, at, 0, vector(1, value), "vector::insert", where);
    }
    void insert(std::size_t at, std::size_t n, const T& value, detail::caller where = detail::caller::here())
    {
        detail::splice(*this, at, 0, vector(n, value), "vector::insert", where);
    }
    template <std::forward_iterator Iterator>
    void insert(std::size_t at, Iterator first, Iterator last, detail::caller where = detail::caller::here())
    {
        detail::splice(*this, at, 0, vector(first, last), "vector::insert", where);
    }
    void insert(std::size_t at, std::initializer_list<T> values, detail::caller where = detail::caller::here())
    {
        detail::splice(*this, at, 0, vector(values), "vector::insert", where);
    }
    template <detail::source_of<T> Source>
    void insert(std::size_t at, const Source& added, detail::caller where = detail::caller::here())
    {
        detail::splice(*this, at, 0, added, "vector::insert", where);
    }

    /// Removes `count` elements from number `first` on.
    void erase(std::size_t first, std::size_t count = 1, detail::caller where = detail::caller::here())
    {
        detail::splice(*this, first, count, vector(), "vector::erase", where);
    }

    /// Keeps the first min(n, size()) elements; new ones get `value`.
    void resize(std::size_t n, const T& value = T{}, detail::caller where = detail::caller::here())
    {
        const std::size_t kept = std::min(n, size());
        if (kept == n) detail::splice(*this, n, size() - n, vector(), "vector::resize", where);
        else detail::splice(*this, kept, 0, vector(n - kept, value), "vector::resize", where);
    }

    /// The elements first .. first + count as an operand or as a destination. Throws error if they are not all there. A
    /// view that is kept shows what is assigned to the vector later, and writes to it, while the vector keeps its size;
    /// see view1.
    [[nodiscard]] view1<T> range(std::size_t first, std::size_t count,
                                 detail::caller where = detail::caller::here()) const
    {
        if (first > size() || count > size() - first)
            detail::throw_range(where, "vector::range", "elements", first, count, {1, 1, size()});
        return view1<T>(data_, first, count, 1, {1, size(), 0, first});
    }
    /// The same of elements that are `step` apart: x.range(1, n / 2, 2) is every second one.
    [[nodiscard]] view1<T> range(std::size_t first, std::size_t count, std::size_t step,
                                 detail::caller where = detail::caller::here()) const
    {
        return range(0, size()).range(first, count, step, where);
    }
    /// The elements from the last to the first, as range().
    [[nodiscard]] view1<T> reversed() const { return range(0, size()).reversed(); }

    /// Number of tiles, instead of the runtime's choice; before the first task uses the vector.
    void set_tiles(std::size_t n)
    {
        if (data_) detail::set_tiles(*data_, n);
    }

    const detail::data_ref& storage() const noexcept { return data_; }
    detail::placement place() const noexcept { return {0, 1, size(), size(), 1}; }
    /// For the library: takes the place of the old data.
    void adopt(detail::storage_ref data) { data_.put(std::move(data)); }
    /// For the library: the data, of which the container is rid.
    detail::data_ref hand_over() noexcept { return std::exchange(data_, {}); }
    static detail::storage_ref make(std::size_t, std::size_t cols)
    {
        return detail::storage_ref(detail::create_result(1, cols, sizeof(T), false));
    }

    // What is missed here: see sk::host.
    SKELRT_DETAIL_MISSED("skelrt: elements are read and written through a host view: auto h = sk::host(x); h[i]")
    T* begin() const SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_MISSED_END("skelrt: elements are read and written through a host view: auto h = sk::host(x); h[i]")
    T* end() const;
    SKELRT_DETAIL_MISSED("skelrt: elements are read and written through a host view: auto h = sk::host(x); h[i]")
    T& operator[](std::size_t) const SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_MISSED("skelrt: each change of a container's size copies all of it; push_back to a std::vector, then "
                         "x.append(v) or sk::vector<T> x(v.begin(), v.end())")
    void push_back(const T&) SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_REFUSED(
        "skelrt: one value for all elements is sk::fill(x, value), or x.assign(n, value); see <skelrt/algorithms.hpp>",
        std::is_arithmetic_v<Other>)
    vector& operator=(const Other&) SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_REFUSED("skelrt: a container is not assigned from a standard one by =: x.assign(v), or "
                          "sk::vector<T> x(v.begin(), v.end())",
                          detail::standard_container<Other, T>)
    vector& operator=(const Other&) SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_REFUSED("skelrt: a container is not assigned from a standard one by =: x.assign(v), or "
                          "sk::vector<T> x(v.begin(), v.end())",
                          detail::standard_container<Other, T>)
    vector(const Other&) SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_REFUSED(
        "skelrt: a vector takes no matrix and no tensor: copy m.row(i) or m.column(j) by a map, or reduce by row",
        detail::other_rank<Other, vector>)
    vector& operator=(const Other&) SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_REFUSED(
        "skelrt: a vector takes no matrix and no tensor: copy m.row(i) or m.column(j) by a map, or reduce by row",
        detail::other_rank<Other, vector>)
    vector(const Other&) SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_REFUSED("skelrt: elements of another type are converted by a map: y = sk::map(SKELRT_FN((double v) { "
                          "return (float)v; }))(x)",
                          detail::other_type<Other, vector>)
    vector& operator=(const Other&) SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_REFUSED("skelrt: elements of another type are converted by a map: y = sk::map(SKELRT_FN((double v) { "
                          "return (float)v; }))(x)",
                          detail::other_type<Other, vector>)
    vector(const Other&) SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_REFUSED("skelrt: a view is copied by sk::eval: x = sk::eval(view)", detail::view_of<Other, vector>)
    vector& operator=(const Other&) SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_REFUSED("skelrt: a view is copied by sk::eval: x = sk::eval(view)", detail::view_of<Other, vector>)
    vector(const Other&) SKELRT_DETAIL_DELETED;

private:
    detail::data_ref data_;
};

template <std::forward_iterator Iterator>
vector(Iterator, Iterator) -> vector<typename std::iterator_traits<Iterator>::value_type>;

} // namespace skelrt
