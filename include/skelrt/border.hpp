// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/recipe.hpp"

#include <cstddef>

/// What a hood holds beyond the edge of the grid; the same on every device, and in every step of an iteration.
namespace skelrt::border
{

/// One value all around.
template <class T>
struct constant {
    static constexpr detail::border_rule rule = detail::border_rule::constant;
    T value;
    explicit constexpr constant(const T& v) : value(v) {}
};

/// The grid starts again on the other side.
struct cyclic {
    static constexpr detail::border_rule rule = detail::border_rule::cyclic;
};

/// The element of the grid that is nearest along each axis.
struct nearest {
    static constexpr detail::border_rule rule = detail::border_rule::nearest;
};

/// Nothing: where the hood would leave the grid, the result is the element of the first hood operand.
struct none {
    static constexpr detail::border_rule rule = detail::border_rule::none;
};

} // namespace skelrt::border

namespace skelrt
{

/// How many elements a hood reaches along one axis, against it and with it.
struct sides {
    std::size_t before, after;
    constexpr sides(std::size_t both) : before(both), after(both) {}
    constexpr sides(std::size_t before_, std::size_t after_) : before(before_), after(after_) {}
};

/// How far the hoods of a stencil reach, for functions from whose text it cannot be read: reach(1) along every axis,
/// reach(rows, cols), reach(planes, rows, cols); each a number or sides(before, after).
struct reach {
    int axes = 0; ///< as many as were given; 0: to be read from the function's text
    sides along[3] = {0, 0, 0};

    constexpr reach() = default;
    explicit constexpr reach(sides all) : axes(1), along{all, 0, 0} {}
    constexpr reach(sides rows, sides cols) : axes(2), along{rows, cols, 0} {}
    constexpr reach(sides planes, sides rows, sides cols) : axes(3), along{planes, rows, cols} {}
};

} // namespace skelrt
