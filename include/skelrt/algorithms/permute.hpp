// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../generate.hpp"
#include "../tensor.hpp"
#include "detail/flat.hpp"
#include "detail/own_function.hpp"

#include <array>
#include <utility>

/// Tensors with their axes in another order.
namespace skelrt
{

namespace detail
{

/// `r0`, `c0` and so on: how far a step along each axis of the result goes in the tensor's flat().
template <class T, int Rank>
struct permuted;
template <class T>
struct permuted<T, 3> {
    static constexpr const char* name = "sk::permute";
    static constexpr const char* text =
        "(skelrt::index3 at, skelrt::mat<$0> t, unsigned long r0, unsigned long r1, unsigned long r2, unsigned long "
        "c0, unsigned long c1, unsigned long c2) { return t(at.plane * r0 + at.row * r1 + at.col * r2, at.plane * c0 + "
        "at.row * c1 + at.col * c2); }";
    T operator()(index3 at, mat<T> t, std::size_t r0, std::size_t r1, std::size_t r2, std::size_t c0, std::size_t c1,
                 std::size_t c2) const
    {
        return t(at.plane * r0 + at.row * r1 + at.col * r2, at.plane * c0 + at.row * c1 + at.col * c2);
    }
};
template <class T>
struct permuted<T, 4> {
    static constexpr const char* name = "sk::permute";
    static constexpr const char* text =
        "(skelrt::index4 at, skelrt::mat<$0> t, unsigned long r0, unsigned long r1, unsigned long r2, unsigned long "
        "r3, unsigned long c0, unsigned long c1, unsigned long c2, unsigned long c3) { return t(at.cube * r0 + "
        "at.plane * r1 + at.row * r2 + at.col * r3, at.cube * c0 + at.plane * c1 + at.row * c2 + at.col * c3); }";
    T operator()(index4 at, mat<T> t, std::size_t r0, std::size_t r1, std::size_t r2, std::size_t r3, std::size_t c0,
                 std::size_t c1, std::size_t c2, std::size_t c3) const
    {
        return t(at.cube * r0 + at.plane * r1 + at.row * r2 + at.col * r3,
                 at.cube * c0 + at.plane * c1 + at.row * c2 + at.col * c3);
    }
};

/// Throws unless each axis is there once.
SKELRT_API void check_axes(const int* axes, int rank);

} // namespace detail

/// The tensor with its axes in another order: axis k of the result is axis axes[k] of t.
///
///     sk::tensor<float, 3> u = sk::permute(t, {2, 0, 1}); // u(i, j, k) is t(j, k, i)
///
/// A lazy map call, which nests and fuses; every device that takes part has all of t. O(size). Errors (sk::error): axes
/// that are not each of 0, 1, ... once.
template <class T, int Rank>
auto permute(const tensor<T, Rank>& t, const std::array<int, static_cast<std::size_t>(Rank)>& axes)
{
    detail::check_axes(axes.data(), Rank);
    const auto extents = t.extents();
    const auto axis = [&](std::size_t k) { return static_cast<std::size_t>(axes[k]); };
    const auto step = [&](std::size_t k) { return detail::step_along(extents, axis(k)); };
    return [&]<std::size_t... K>(std::index_sequence<K...>)
    {
        return map(detail::own_function<detail::permuted<T, Rank>, T>())(shape(extents[axis(K)]...), t.flat(),
                                                                         step(K).rows..., step(K).cols...);
    }
    (std::make_index_sequence<static_cast<std::size_t>(Rank)>{});
}

} // namespace skelrt
