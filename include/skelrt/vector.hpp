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
inline constexpr borrow_t borrow{};

/// Tag for containers whose elements have no value yet: sk::vector<float> v(n, sk::uninitialized).
struct uninitialized_t {
    explicit uninitialized_t() = default;
};
inline constexpr uninitialized_t uninitialized{};

namespace detail
{

template <class Container, class Expression>
void assign_to_container(Container& to, const Expression& from);

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
class vector : public operators::operand
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

    /// Keeps the first min(n, size()) elements; new ones get `value`. Waits for the data. O(n).
    void resize(std::size_t n, const T& value = T{})
    {
        if (n == size()) return;
        vector grown(n, value);
        if (data_) detail::copy_common(*grown.data_, *data_);
        swap(grown);
    }

    /// The elements first .. first + count as an operand or as a destination. Throws error if they are not all there. A
    /// view that is kept shows what is assigned to the vector later, and writes to it, while the vector keeps its size;
    /// see view1.
    [[nodiscard]] view1<T> range(std::size_t first, std::size_t count,
                                 detail::caller where = detail::caller::here()) const
    {
        if (first > size() || count > size() - first)
            detail::throw_range(where, "vector::range", "elements", first, count, {1, 1, size()});
        return view1<T>(data_, first, count, 1, {0, size()});
    }

    /// Number of tiles, instead of the runtime's choice; before the first task uses the vector.
    void set_tiles(std::size_t n)
    {
        if (data_) detail::set_tiles(*data_, n);
    }

    const detail::data_ref& storage() const noexcept { return data_; }
    detail::placement place() const noexcept { return {0, 1, size(), size(), 1}; }
    /// For the library: takes the place of the old data.
    void adopt(detail::storage_ref data) { data_.put(std::move(data)); }
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
    SKELRT_DETAIL_REFUSED("skelrt: a container is not assigned from a standard one: sk::vector<T> x(v.begin(), "
                          "v.end()), or std::copy into sk::host_write(x)",
                          detail::standard_container<Other, T>)
    vector& operator=(const Other&) SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_REFUSED("skelrt: a container is not assigned from a standard one: sk::vector<T> x(v.begin(), "
                          "v.end()), or std::copy into sk::host_write(x)",
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
    SKELRT_DETAIL_REFUSED("skelrt: a view is copied by a map: x = sk::map(SKELRT_FN((auto v) { return v; }))(view)",
                          detail::view_of<Other, vector>)
    vector& operator=(const Other&) SKELRT_DETAIL_DELETED;
    SKELRT_DETAIL_REFUSED("skelrt: a view is copied by a map: x = sk::map(SKELRT_FN((auto v) { return v; }))(view)",
                          detail::view_of<Other, vector>)
    vector(const Other&) SKELRT_DETAIL_DELETED;

private:
    detail::data_ref data_;
};

template <std::forward_iterator Iterator>
vector(Iterator, Iterator) -> vector<typename std::iterator_traits<Iterator>::value_type>;

} // namespace skelrt
