// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "vector.hpp"

#include <cstddef>

namespace skelrt
{

namespace detail
{

template <class E>
concept reduces_to_one = requires(const E& e, storage_ref& to)
{
    e.into(to);
};
template <class E>
concept maps_values = requires
{
    typename E::skelrt_map;
};

template <class E>
void evaluate_scalar(const E& e, storage_ref& to);

/// Waits for a scalar, and copies its value. Over several ranks all call it, and have the first one's bits; what went
/// wrong on one of them, all throw.
SKELRT_API void read_value(storage& s, void* value);

} // namespace detail

/// One value that tasks produce and use: the result of a reduction feeds the next call without a wait on the host.
///
/// sk::scalar<float> alpha = divide(rr, pq), where divide is a map, computes with scalars and plain values in the same
/// way. Values that belong together are one struct. Where a call needs a scalar's value for every element, it takes the
/// scalar
/// itself: only get() waits, and for this value only.
template <class T>
class scalar : public operators::enabled
{
    static_assert(detail::may_be_element<T>, "skelrt: an sk::scalar is trivially copyable, and no pointer");

public:
    using value_type = T;

    scalar() : scalar(T{}) {}
    scalar(const T& value) : data_(detail::create_scalar(sizeof(T))) { detail::fill_storage(*data_, &value); }
    scalar(const scalar& o) : data_(o.data_ ? detail::clone_storage(*o.data_) : nullptr) {}
    scalar(scalar&&) noexcept = default;
    scalar& operator=(const scalar& o)
    {
        data_.copy(o.data_);
        return *this;
    }
    scalar& operator=(scalar&& o) noexcept
    {
        std::swap(data_, o.data_);
        return *this;
    }
    /// Calls that were evaluated go on with the value that it had; those that are evaluated later get this one.
    scalar& operator=(const T& value)
    {
        detail::set_scalar(data_.inside(), &value, sizeof(T));
        return *this;
    }
    ~scalar() = default;

    /// A reduction's result, or that of a map of scalars and values; asynchronous: it is made where its operands are,
    /// and stays there.
    template <detail::expression E>
        requires(detail::reduces_to_one<E> || detail::maps_values<E>)
    scalar(const E& e) { *this = e; }
    template <detail::expression E>
        requires(detail::reduces_to_one<E> || detail::maps_values<E>)
    scalar& operator=(const E& e)
    {
        constexpr bool same = std::is_same_v<T, typename E::value> || detail::is_refused<E>;
        static_assert(same, "skelrt: the scalar's type is not the result type of the reduction or the function");
        if constexpr (!same || detail::is_refused<E>) return *this;
        else if constexpr (detail::reduces_to_one<E>) e.into(data_.inside());
        else detail::evaluate_scalar(e, data_.inside());
        return *this;
    }

    /// Waits for this value only.
    T get() const
    {
        alignas(T) std::byte value[sizeof(T)];
        detail::read_value(*storage(), value);
        return *reinterpret_cast<const T*>(value);
    }
    operator T() const { return get(); }

    /// Throws error if the scalar was moved from and has no value since.
    const detail::data_ref& storage() const
    {
        if (!data_) detail::throw_moved_from();
        return data_;
    }

private:
    detail::data_ref data_;
};

} // namespace skelrt
