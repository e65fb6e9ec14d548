#pragma once

#include "vector.hpp"

namespace skelrt
{

/// One value that tasks produce and use: the result of a reduction feeds the next call without a wait on the host.
template <detail::element_type T>
class scalar
{
public:
    using value_type = T;

    scalar() : scalar(T{}) {}
    scalar(const T& value) : data_(detail::create_storage(1, 1, sizeof(T))) { detail::fill_storage(*data_, &value); }
    scalar(const scalar& o) : data_(o.data_ ? detail::clone_storage(*o.data_) : nullptr) {}
    scalar(scalar&&) noexcept = default;
    scalar& operator=(scalar o) noexcept
    {
        std::swap(data_, o.data_);
        return *this;
    }
    ~scalar() = default;

    /// A reduction's result; asynchronous.
    template <detail::expression E>
        requires requires { typename E::skelrt_reduction; }
    scalar(const E& e) : data_(detail::create_storage(1, 1, sizeof(T))) { e.into(*data_); }
    template <detail::expression E>
        requires requires { typename E::skelrt_reduction; }
    scalar& operator=(const E& e) { return *this = scalar(e); }

    /// Waits for this value only.
    T get() const
    {
        detail::managed_state* const acquired = detail::acquire(*data_, detail::access::read);
        const T value = *reinterpret_cast<const T*>(data_->data);
        detail::release(*data_, detail::access::read, acquired);
        return value;
    }
    operator T() const { return get(); }

    const detail::storage_ref& storage() const noexcept { return data_; }

private:
    detail::storage_ref data_;
};

} // namespace skelrt
