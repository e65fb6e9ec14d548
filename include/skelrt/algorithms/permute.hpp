#pragma once

#include "../generate.hpp"
#include "../tensor.hpp"
#include "detail/own_function.hpp"

#include <array>

/// Tensors with their axes in another order.
namespace skelrt
{

namespace detail
{

/// How far a step along an axis of the result goes in a tensor that is seen as its flat() matrix.
struct flat_step {
    std::size_t rows = 0, cols = 0;
};

template <class T>
struct permuted3 {
    static constexpr const char* name = "sk::permute";
    static constexpr const char* text =
        "(skelrt::index3 at, skelrt::mat<$0> t, unsigned long r0, unsigned long c0, unsigned long r1, unsigned long "
        "c1, unsigned long r2, unsigned long c2) { return t(at.plane * r0 + at.row * r1 + at.col * r2, at.plane * c0 + "
        "at.row * c1 + at.col * c2); }";
    T operator()(index3 at, mat<T> t, std::size_t r0, std::size_t c0, std::size_t r1, std::size_t c1, std::size_t r2,
                 std::size_t c2) const
    {
        return t(at.plane * r0 + at.row * r1 + at.col * r2, at.plane * c0 + at.row * c1 + at.col * c2);
    }
};

template <class T>
struct permuted4 {
    static constexpr const char* name = "sk::permute";
    static constexpr const char* text =
        "(skelrt::index4 at, skelrt::mat<$0> t, unsigned long r0, unsigned long c0, unsigned long r1, unsigned long "
        "c1, unsigned long r2, unsigned long c2, unsigned long r3, unsigned long c3) { return t(at.cube * r0 + "
        "at.plane * r1 + at.row * r2 + at.col * r3, at.cube * c0 + at.plane * c1 + at.row * c2 + at.col * c3); }";
    T operator()(index4 at, mat<T> t, std::size_t r0, std::size_t c0, std::size_t r1, std::size_t c1, std::size_t r2,
                 std::size_t c2, std::size_t r3, std::size_t c3) const
    {
        return t(at.cube * r0 + at.plane * r1 + at.row * r2 + at.col * r3,
                 at.cube * c0 + at.plane * c1 + at.row * c2 + at.col * c3);
    }
};

/// Throws unless each axis is there once.
SKELRT_API void check_axes(const int* axes, int rank);

/// A step along axis `axis` of a tensor of these extents.
template <std::size_t Rank>
flat_step step_along(const std::array<std::size_t, Rank>& extents, int axis)
{
    if (axis == 0) return {1, 0};
    std::size_t cols = 1;
    for (std::size_t k = Rank - 1; k > static_cast<std::size_t>(axis); --k) cols *= extents[k];
    return {0, cols};
}

} // namespace detail

/// The tensor with its axes in another order: axis k of the result is axis axes[k] of t.
///
///     sk::tensor<float, 3> u = sk::permute(t, {2, 0, 1}); // u(i, j, k) is t(j, k, i)
///
/// A lazy map call, which nests and fuses; every device that takes part has all of t. O(size). Errors (sk::error): axes
/// that are not each of 0, 1, ... once.
template <class T>
auto permute(const tensor<T, 3>& t, const std::array<int, 3>& axes)
{
    detail::check_axes(axes.data(), 3);
    const auto extents = t.extents();
    const auto n = [&](std::size_t k) { return extents[static_cast<std::size_t>(axes[k])]; };
    const auto step = [&](std::size_t k) { return detail::step_along(extents, axes[k]); };
    const detail::flat_step a = step(0), b = step(1), c = step(2);
    return map(detail::own_function<detail::permuted3<T>, T>())(shape(n(0), n(1), n(2)), t.flat(), a.rows, a.cols,
                                                                b.rows, b.cols, c.rows, c.cols);
}
template <class T>
auto permute(const tensor<T, 4>& t, const std::array<int, 4>& axes)
{
    detail::check_axes(axes.data(), 4);
    const auto extents = t.extents();
    const auto n = [&](std::size_t k) { return extents[static_cast<std::size_t>(axes[k])]; };
    const auto step = [&](std::size_t k) { return detail::step_along(extents, axes[k]); };
    const detail::flat_step a = step(0), b = step(1), c = step(2), d = step(3);
    return map(detail::own_function<detail::permuted4<T>, T>())(shape(n(0), n(1), n(2), n(3)), t.flat(), a.rows, a.cols,
                                                                b.rows, b.cols, c.rows, c.cols, d.rows, d.cols);
}

} // namespace skelrt
