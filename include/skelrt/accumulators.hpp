// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/index_checks.hpp"
#include "detail/recipe.hpp"

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace skelrt
{

namespace detail
{

/// What the parameters of sk::for_each that change a whole vector have in common. A `View` says by `rule`, `nothing()`
/// and `joined(a, b)` what becomes of an element: copies of the vector begin as nothing and are joined at the end.
template <class View, class T>
class accumulated_elements
{
public:
    using value_type = T;
    accumulated_elements(T* data, std::size_t size) : data_(data), size_(size) {}
    accumulated_elements(const accumulated_elements& a, checked_operand checked)
        : data_(a.data_), size_(a.size_), checked_(checked)
    {
    }
    std::size_t size() const { return size_; }

protected:
    void join(std::size_t i, const T& v) const
    {
        if (checked_ && !holds(checked_, i, size_)) return;
        data_[i] = View::joined(data_[i], v);
    }

private:
    T* data_;
    std::size_t size_;
    checked_operand checked_;
};

/// What nothing is above, and below.
template <class T>
constexpr T highest_of()
{
    using limits = std::numeric_limits<T>;
    return limits::has_infinity ? limits::infinity() : limits::max();
}
template <class T>
constexpr T lowest_of()
{
    using limits = std::numeric_limits<T>;
    return limits::has_infinity ? static_cast<T>(-limits::infinity()) : limits::lowest();
}

} // namespace detail

/// Parameter of a user function that adds to a whole vector, at any index; see sk::for_each. Checked as sk::vec is.
template <class T>
class accumulator : public detail::accumulated_elements<accumulator<T>, T>
{
public:
    static constexpr detail::accumulate_rule rule = detail::accumulate_rule::add;
    static constexpr T nothing() { return T{}; }
    static constexpr T joined(const T& a, const T& b) { return static_cast<T>(a + b); }

    using detail::accumulated_elements<accumulator<T>, T>::accumulated_elements;
    /// Adds v to element i.
    void add(std::size_t i, const T& v) const { this->join(i, v); }
};

/// The same for the least value of each element: element i and all v that are put there. What is no number is ignored.
template <class T>
class min_accumulator : public detail::accumulated_elements<min_accumulator<T>, T>
{
public:
    static constexpr detail::accumulate_rule rule = detail::accumulate_rule::min;
    static constexpr T nothing() { return detail::highest_of<T>(); }
    static constexpr T joined(const T& a, const T& b) { return b < a ? b : a; }

    using detail::accumulated_elements<min_accumulator<T>, T>::accumulated_elements;
    void min(std::size_t i, const T& v) const { this->join(i, v); }
};

/// The greatest.
template <class T>
class max_accumulator : public detail::accumulated_elements<max_accumulator<T>, T>
{
public:
    static constexpr detail::accumulate_rule rule = detail::accumulate_rule::max;
    static constexpr T nothing() { return detail::lowest_of<T>(); }
    static constexpr T joined(const T& a, const T& b) { return a < b ? b : a; }

    using detail::accumulated_elements<max_accumulator<T>, T>::accumulated_elements;
    void max(std::size_t i, const T& v) const { this->join(i, v); }
};

/// The bits of element i and of all v that are put there, of whole numbers.
template <class T>
class or_accumulator : public detail::accumulated_elements<or_accumulator<T>, T>
{
public:
    static constexpr detail::accumulate_rule rule = detail::accumulate_rule::bit_or;
    static constexpr T nothing() { return T{}; }
    static constexpr T joined(const T& a, const T& b) { return static_cast<T>(a | b); }

    using detail::accumulated_elements<or_accumulator<T>, T>::accumulated_elements;
    void bit_or(std::size_t i, const T& v) const { this->join(i, v); }
};

/// The bits that element i and all v have in common.
template <class T>
class and_accumulator : public detail::accumulated_elements<and_accumulator<T>, T>
{
public:
    static constexpr detail::accumulate_rule rule = detail::accumulate_rule::bit_and;
    static constexpr T nothing() { return static_cast<T>(~T{}); }
    static constexpr T joined(const T& a, const T& b) { return static_cast<T>(a & b); }

    using detail::accumulated_elements<and_accumulator<T>, T>::accumulated_elements;
    void bit_and(std::size_t i, const T& v) const { this->join(i, v); }
};

/// A whole vector whose elements functions change atomically, at any index, and whose values they see: one copy, which
/// one device has. Each method gives what the element held before. Each element is changed by itself: what others do at
/// the same time to other elements is seen in no particular order. Of structs of 4 or 8 bytes without padding there are
/// load, exchange and compare_exchange, which compares bits: any change is a loop of these. See sk::for_each.
template <class T>
class atomic_vec
{
public:
    using value_type = T;
    static constexpr detail::accumulate_rule rule = detail::accumulate_rule::atomic;
    static constexpr T nothing() { return T{}; }
    static constexpr T joined(const T&, const T& b) { return b; }

    atomic_vec(T* data, std::size_t size) : data_(data), size_(size) {}
    atomic_vec(const atomic_vec& a, detail::checked_operand checked) : data_(a.data_), size_(a.size_), checked_(checked)
    {
    }
    std::size_t size() const { return size_; }

    T load(std::size_t i) const
    {
        if constexpr (std::is_arithmetic_v<T>)
            return at_once(i, [](const auto& at) { return at.load(std::memory_order_relaxed); });
        else return change(i, [](const T& x) { return x; });
    }
    T add(std::size_t i, const T& v) const
    {
        if constexpr (is_whole)
            return at_once(i, [&](const auto& at) { return at.fetch_add(v, std::memory_order_relaxed); });
        else return change(i, [&](const T& x) { return static_cast<T>(x + v); });
    }
    T min(std::size_t i, const T& v) const
    {
        return change(i, [&](const T& x) { return v < x ? v : x; });
    }
    T max(std::size_t i, const T& v) const
    {
        return change(i, [&](const T& x) { return x < v ? v : x; });
    }
    /// Of whole numbers.
    T bit_or(std::size_t i, const T& v) const
    {
        if constexpr (is_whole)
            return at_once(i, [&](const auto& at) { return at.fetch_or(v, std::memory_order_relaxed); });
        else return change(i, [&](const T& x) { return static_cast<T>(x | v); });
    }
    T bit_and(std::size_t i, const T& v) const
    {
        if constexpr (is_whole)
            return at_once(i, [&](const auto& at) { return at.fetch_and(v, std::memory_order_relaxed); });
        else return change(i, [&](const T& x) { return static_cast<T>(x & v); });
    }
    T exchange(std::size_t i, const T& v) const
    {
        if constexpr (std::is_arithmetic_v<T>)
            return at_once(i, [&](const auto& at) { return at.exchange(v, std::memory_order_relaxed); });
        else return change(i, [&](const T&) { return v; });
    }
    /// Becomes `wanted` if it is `expected`, which it then gives.
    T compare_exchange(std::size_t i, const T& expected, const T& wanted) const
    {
        return change(i, [&](const T& x) { return is_same(x, expected) ? wanted : x; });
    }

private:
    using whole = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    using word [[gnu::may_alias]] = whole;
    static constexpr bool is_whole = std::is_integral_v<T> && !std::is_same_v<T, bool>;
    /// What one instruction does: no other change of the element can come in between, so nothing is tried again.
    template <class F>
    T at_once(std::size_t i, F f) const
    {
        if (checked_ && !detail::holds(checked_, i, size_)) return T{};
        return f(std::atomic_ref<T>(data_[i]));
    }
    template <class F>
    T change(std::size_t i, F f) const
    {
        if (checked_ && !detail::holds(checked_, i, size_)) return T{};
        if constexpr (std::is_arithmetic_v<T>) {
            const std::atomic_ref<T> at(data_[i]);
            T x = at.load(std::memory_order_relaxed);
            while (!at.compare_exchange_weak(x, f(x), std::memory_order_relaxed)) {}
            return x;
        } else {
            auto* const at = reinterpret_cast<word*>(data_ + i);
            whole x = __atomic_load_n(at, __ATOMIC_RELAXED);
            while (!__atomic_compare_exchange_n(at, &x, std::bit_cast<whole>(f(std::bit_cast<T>(x))), true,
                                                __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
            return std::bit_cast<T>(x);
        }
    }
    static bool is_same(const T& a, const T& b)
    {
        if constexpr (std::is_arithmetic_v<T>) return a == b;
        else return std::bit_cast<whole>(a) == std::bit_cast<whole>(b);
    }

    T* data_;
    std::size_t size_;
    detail::checked_operand checked_;
};

/// A whole vector, of elements of any type, that functions write at any index and do not see: one copy, which one
/// device has, and plain stores. Each element is set at most once in a call, and those that nobody sets keep their
/// values. What an element gets that is set twice is not specified; SKELRT_CHECK=bounds finds it. See sk::for_each.
template <class T>
class out_vec
{
public:
    using value_type = T;
    static constexpr detail::accumulate_rule rule = detail::accumulate_rule::write;
    static constexpr const T& joined(const T&, const T& b) { return b; }

    out_vec(T* data, std::size_t size) : data_(data), size_(size) {}
    out_vec(const out_vec& a, detail::checked_operand checked) : data_(a.data_), size_(a.size_), checked_(checked) {}
    std::size_t size() const { return size_; }

    /// Element i becomes v.
    void set(std::size_t i, const T& v) const
    {
        if (checked_ && !detail::writes_first(checked_, i, size_, data_ + size_)) return;
        data_[i] = v;
    }

private:
    T* data_;
    std::size_t size_;
    detail::checked_operand checked_;
};

} // namespace skelrt
