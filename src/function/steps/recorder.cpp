// SPDX-License-Identifier: BSD-3-Clause
#include "src/function/steps/recorder.hpp"

#include <algorithm>
#include <vector>

namespace skelrt::detail::function_steps
{
namespace
{

constexpr std::size_t most_steps = std::size_t{1} << 14; ///< a filter of 127 x 127 has fewer

/// How often each step's value is read.
std::vector<unsigned> uses_of(const lockstep_steps& all)
{
    std::vector<unsigned> uses(all.steps.size());
    for (const lockstep_step& s : all.steps)
        for (const lockstep_operand* o : {&s.a, &s.b})
            if (o->is_value) ++uses[o->value];
    return uses;
}

/// Taps that go on with the sum of the step in front of them, which nobody else reads, become part of that step.
lockstep_steps with_long_sums(const lockstep_steps& all)
{
    const std::vector<unsigned> uses = uses_of(all);
    lockstep_steps found{{}, all.taps};
    std::vector<unsigned> becomes(all.steps.size());
    for (unsigned k = 0; k < all.steps.size(); ++k) {
        lockstep_step s = all.steps[k];
        const bool goes_on = k > 0 && s.op == lockstep_operator::taps && all.steps[k - 1].op == s.op && s.a.is_value &&
                             s.a.value == k - 1 && uses[k - 1] == 1 && all.steps[k - 1].slot == s.slot;
        if (goes_on) {
            found.steps.back().last = s.last;
        } else {
            for (lockstep_operand* o : {&s.a, &s.b})
                if (o->is_value) o->value = becomes[o->value];
            found.steps.push_back(s);
        }
        becomes[k] = static_cast<unsigned>(found.steps.size() - 1);
    }
    return found;
}

/// Steps' numbers become places, each free again once its value was read for the last time; false: there are too few.
bool place_values(lockstep_steps& all)
{
    std::vector<unsigned> left = uses_of(all), place(all.steps.size());
    bool taken[most_lockstep_values] = {};
    for (unsigned k = 0; k < all.steps.size(); ++k) {
        lockstep_step& s = all.steps[k];
        for (lockstep_operand* o : {&s.a, &s.b}) {
            if (!o->is_value) continue;
            if (--left[o->value] == 0) taken[place[o->value]] = false;
            o->value = place[o->value];
        }
        const auto* const room = std::ranges::find(taken, false);
        if (room == std::end(taken)) return false;
        place[k] = s.to = static_cast<unsigned>(room - taken);
        taken[s.to] = left[k] > 0;
    }
    return true;
}

std::optional<lockstep_operator> step_operator(std::string_view op)
{
    if (op == "+") return lockstep_operator::plus;
    if (op == "-") return lockstep_operator::minus;
    if (op == "*") return lockstep_operator::times;
    if (op == "/") return lockstep_operator::over;
    return {};
}

constexpr lockstep_operand shared_operand(double n) { return {false, 0, n}; }
constexpr lockstep_operand adds_nothing = shared_operand(-0.0); ///< what may be added to anything, -0 too

} // namespace

number_kind recorder::type_of(const shared_or_each& a) const
{
    const auto* const n = std::get_if<number>(&a);
    return n ? kind_of(*n) : type_;
}

/// As a number of the positions' type; nothing: together with theirs it would give another type.
std::optional<double> recorder::factor_of(const shared_or_each& a) const
{
    const auto* const n = std::get_if<number>(&a);
    if (!n || kind_of(*n) > type_) return {};
    const auto same = converted(*n, type_);
    return same ? std::get<double>(*converted(*same, number_kind::double_)) : std::optional<double>{};
}

std::optional<shared_or_each> recorder::push(const lockstep_step& s)
{
    if (found_.steps.size() == most_steps) return {};
    found_.steps.push_back(s);
    return made_value{static_cast<unsigned>(found_.steps.size() - 1)};
}

std::optional<lockstep_operand> recorder::operand_of(const shared_or_each& a)
{
    if (const auto* made = std::get_if<made_value>(&a)) return lockstep_operand{true, made->step, 0};
    if (const auto n = factor_of(a)) return shared_operand(*n);
    const auto* const seen = std::get_if<seen_element>(&a);
    const auto alone = seen ? add(number(0), *seen) : std::nullopt;
    if (!alone) return {};
    found_.steps.back().a = adds_nothing;
    return lockstep_operand{true, std::get<made_value>(*alone).step, 0};
}

std::optional<shared_or_each> recorder::add(const shared_or_each& a, const seen_element& tap)
{
    const auto sum = operand_of(a);
    if (!sum) return {};
    const auto first = static_cast<unsigned>(found_.taps.size());
    found_.taps.push_back({tap.factor, static_cast<float>(tap.factor), static_cast<std::int32_t>(tap.way)});
    return push({lockstep_operator::taps, 0, *sum, shared_operand(0), tap.slot, first, first + 1});
}

std::optional<shared_or_each> recorder::join(const shared_or_each& a, std::string_view op, const shared_or_each& b)
{
    const auto *const one = std::get_if<number>(&a), *const other = std::get_if<number>(&b);
    if (one && other) {
        const auto n = joined(*one, op, *other);
        return n ? std::optional<shared_or_each>(*n) : std::nullopt;
    }
    const auto *const left = std::get_if<seen_element>(&a), *const right = std::get_if<seen_element>(&b);
    if (op == "*" && left && left->factor == 1)
        if (const auto n = factor_of(b)) return seen_element{left->slot, left->way, *n};
    if (op == "*" && right && right->factor == 1)
        if (const auto n = factor_of(a)) return seen_element{right->slot, right->way, *n};
    if (op == "+" && right) return add(a, *right);
    if (op == "+" && left) return add(b, *left);
    if (op == "-" && right) return add(a, {right->slot, right->way, -right->factor});
    const auto what = step_operator(op);
    if (!what) return {};
    const auto x = operand_of(a), y = operand_of(b);
    return x && y ? push({*what, 0, *x, *y, 0, 0, 0}) : std::nullopt;
}

std::optional<shared_or_each> recorder::negate(const shared_or_each& a)
{
    if (const auto* n = std::get_if<number>(&a)) {
        const auto less = negated(*n);
        return less ? std::optional<shared_or_each>(*less) : std::nullopt;
    }
    if (const auto* seen = std::get_if<seen_element>(&a)) return seen_element{seen->slot, seen->way, -seen->factor};
    return join(a, "*", number(-1));
}

std::optional<lockstep_steps> recorder::finish(const shared_or_each& result)
{
    const auto last = operand_of(result);
    if (!last || !last->is_value) return {}; // a number that all positions share needs no steps
    found_.steps.resize(last->value + 1);
    lockstep_steps all = with_long_sums(found_);
    return place_values(all) ? std::optional(std::move(all)) : std::nullopt;
}

} // namespace skelrt::detail::function_steps
