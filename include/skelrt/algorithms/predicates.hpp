// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../operators.hpp"
#include "../reduce.hpp"
#include "detail/own_function.hpp"

/// Questions to all elements. Each is a reduction to one value of a fused map: nothing is stored, and nobody waits
/// until the value is used, or until it goes to an sk::scalar.
namespace skelrt
{

namespace detail
{

template <class H>
struct count_hit {
    static constexpr const char* name = "sk::count_if";
    static constexpr const char* text = "($0 hit) { return (unsigned long)(hit ? 1 : 0); }";
    std::size_t operator()(H hit) const { return hit ? 1 : 0; }
};

template <class H>
struct hit_or_miss {
    static constexpr const char* name = "sk::any_of";
    static constexpr const char* text = "($0 hit) { return hit ? 1 : 0; }";
    int operator()(H hit) const { return hit ? 1 : 0; }
};

template <class H>
struct position_of_hit {
    static constexpr const char* name = "sk::find_if";
    static constexpr const char* text =
        "(skelrt::index1 at, $0 hit, unsigned long n) { return hit ? (unsigned long)at.i : n; }";
    std::size_t operator()(index1 at, H hit, std::size_t n) const { return hit ? at.i : n; }
};

struct both_hits {
    static constexpr const char* name = "sk::all_of";
    static constexpr const char* text = "(int a, int b) { return a & b; }";
    int operator()(int a, int b) const { return a & b; }
};
struct any_hit {
    static constexpr const char* name = "sk::any_of";
    static constexpr const char* text = "(int a, int b) { return a | b; }";
    int operator()(int a, int b) const { return a | b; }
};
template <>
inline constexpr bool is_commutative<both_hits> = true;
template <>
inline constexpr bool is_commutative<any_hit> = true;

/// A question's answer, which is asked for where it is used as a bool. `Negated`: it is the opposite of the reduction's.
template <class Reduction, bool Negated>
class [[nodiscard]] answer
{
public:
    explicit answer(Reduction what) : what_(std::move(what)) {}
    /// Waits for this value only.
    bool get() const { return (what_.get() != 0) != Negated; }
    operator bool() const { return get(); }

private:
    Reduction what_;
};

template <bool Negated, class Op, class X, class Predicate>
auto ask(const X& x, const function<Predicate>& predicate, int start)
{
    const auto hits = map(predicate)(x);
    using H = typename decltype(hits)::value;
    const auto question = reduce(own_function<Op>(), start)(map(own_function<hit_or_miss<H>, H>())(hits));
    return answer<std::remove_const_t<decltype(question)>, Negated>(question);
}

} // namespace detail

/// How many elements a function is true for, an std::size_t. O(n).
template <class X, class Predicate>
auto count_if(const X& x, const function<Predicate>& predicate)
{
    const auto hits = map(predicate)(x);
    using H = typename decltype(hits)::value;
    return reduce(plus, std::size_t{0})(map(detail::own_function<detail::count_hit<H>, H>())(hits));
}

/// Whether it is true for any element; of none: false. All elements are looked at. O(n).
template <class X, class Predicate>
auto any_of(const X& x, const function<Predicate>& predicate)
{
    return detail::ask<false, detail::any_hit>(x, predicate, 0);
}
/// For all; of none: true.
template <class X, class Predicate>
auto all_of(const X& x, const function<Predicate>& predicate)
{
    return detail::ask<false, detail::both_hits>(x, predicate, 1);
}
/// For none.
template <class X, class Predicate>
auto none_of(const X& x, const function<Predicate>& predicate)
{
    return detail::ask<true, detail::any_hit>(x, predicate, 0);
}

/// The index of the first element for which a function is true, or the number of elements: an std::size_t. O(n): all
/// elements are looked at.
template <class X, class Predicate>
auto find_if(const X& x, const function<Predicate>& predicate)
{
    const auto& seen = detail::counted(x);
    const auto hits = map(predicate)(seen);
    using H = typename decltype(hits)::value;
    const std::size_t n = detail::operand_size(seen, "sk::find_if");
    return reduce(minimum, n)(map(detail::own_function<detail::position_of_hit<H>, H>())(hits, n));
}

} // namespace skelrt
