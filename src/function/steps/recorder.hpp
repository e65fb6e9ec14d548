// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/function/steps/numbers.hpp"

#include <skelrt/detail/loops/lockstep_steps.hpp>

#include <cstddef>
#include <optional>
#include <string_view>
#include <variant>

/// Writes down what is done with numbers of each position.
namespace skelrt::detail::function_steps
{

/// An element of a hood, times a number of the elements' type: nothing is done yet.
struct seen_element {
    unsigned slot;
    std::ptrdiff_t way;
    double factor;
};
/// The number of a step, whose result it is.
struct made_value {
    unsigned step;
};
/// What an expression has: a number that all positions share, or one of each.
using shared_or_each = std::variant<number, seen_element, made_value>;

class recorder
{
public:
    /// Numbers of positions have this type, float or double.
    explicit recorder(number_kind type) : type_(type) {}

    /// a op b; nothing: numbers of positions would be of another type, are compared, or do too much.
    std::optional<shared_or_each> join(const shared_or_each& a, std::string_view op, const shared_or_each& b);
    std::optional<shared_or_each> negate(const shared_or_each& a);

    number_kind type_of(const shared_or_each& a) const;
    /// Steps up to this value, which is the function's result.
    std::optional<lockstep_steps> finish(const shared_or_each& result);

private:
    std::optional<lockstep_operand> operand_of(const shared_or_each& a);
    std::optional<double> factor_of(const shared_or_each& a) const;
    std::optional<shared_or_each> add(const shared_or_each& a, const seen_element& tap);
    std::optional<shared_or_each> push(const lockstep_step& s);

    number_kind type_;
    lockstep_steps found_;
};

} // namespace skelrt::detail::function_steps
