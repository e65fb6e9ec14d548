// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tensor.hpp"

#include <array>
#include <type_traits>
#include <utility>

namespace skelrt
{

namespace detail
{

template <class X>
concept whole_container = own_container<X> && requires(X& x)
{
    x.hand_over();
};

template <class Made, class X>
Made reshaped(X&& from, std::span<const std::size_t> extents, const caller& where)
{
    using T = typename Made::value_type;
    Made made;
    made.adopt(reshape_storage(from.storage(), extents, sizeof(T), where));
    if constexpr (!std::is_const_v<std::remove_reference_t<X>>) static_cast<void>(from.hand_over());
    return made;
}

} // namespace detail

/// A container's elements in the order of memory as a container of another shape with as many elements, which takes
/// them along: it is empty afterwards.
///
///     sk::matrix<float> m = sk::reshape(std::move(v), rows, cols);
///     sk::vector<float> v = sk::reshape(std::move(m), m.size());
///
/// No element is copied, O(tiles), where the container is alone with its memory and its tiles end where rows of the new
/// shape do, as those of a vector do that is made of a matrix. Where they do not, waits for the data, which comes to
/// the host to be cut anew. Views and calls that refer to the container keep its elements, and the new one gets copies;
/// so it does, waiting, where several ranks share them: all make the call. Borrowed memory stays the new container's.
/// Errors (sk::error): another number of elements, named with both; a host view is open. The container is as before
/// then.
template <detail::whole_container X>
    requires(!std::is_reference_v<X> && !std::is_const_v<X>)
vector<typename X::value_type> reshape(X&& from, std::size_t n, detail::caller where = detail::caller::here())
{
    return detail::reshaped<vector<typename X::value_type>>(std::move(from), std::array{n}, where);
}
template <detail::whole_container X>
    requires(!std::is_reference_v<X> && !std::is_const_v<X>)
matrix<typename X::value_type> reshape(X&& from, std::size_t rows, std::size_t cols,
                                       detail::caller where = detail::caller::here())
{
    return detail::reshaped<matrix<typename X::value_type>>(std::move(from), std::array{rows, cols}, where);
}
template <detail::whole_container X>
    requires(!std::is_reference_v<X> && !std::is_const_v<X>)
tensor<typename X::value_type, 3> reshape(X&& from, std::size_t planes, std::size_t rows, std::size_t cols,
                                          detail::caller where = detail::caller::here())
{
    const std::array extents{planes, rows, cols};
    return detail::reshaped<tensor<typename X::value_type, 3>>(std::move(from), extents, where);
}
template <detail::whole_container X>
    requires(!std::is_reference_v<X> && !std::is_const_v<X>)
tensor<typename X::value_type, 4> reshape(X&& from, std::size_t cubes, std::size_t planes, std::size_t rows,
                                          std::size_t cols, detail::caller where = detail::caller::here())
{
    const std::array extents{cubes, planes, rows, cols};
    return detail::reshaped<tensor<typename X::value_type, 4>>(std::move(from), extents, where);
}

/// A container that has a name is not taken along by accident.
SKELRT_DETAIL_REFUSED("skelrt: sk::reshape takes a container along: sk::reshape(std::move(x), ...); or a copy of it: "
                      "sk::reshape(sk::vector<T>(x), ...)",
                      detail::own_container<Other>)
void reshape(const Other&, std::size_t) SKELRT_DETAIL_DELETED;
SKELRT_DETAIL_REFUSED("skelrt: sk::reshape takes a container along: sk::reshape(std::move(x), ...); or a copy of it: "
                      "sk::reshape(sk::vector<T>(x), ...)",
                      detail::own_container<Other>)
void reshape(const Other&, std::size_t, std::size_t) SKELRT_DETAIL_DELETED;

} // namespace skelrt
