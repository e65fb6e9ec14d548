// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "map_expression.hpp"

#include <cstdint>
#include <type_traits>

/// Trees that say alpha * p + beta * c, where p is a call that adds to what a container holds, and c has elements: such
/// a call may be the whole sum. Either factor may be missing, and - stand for +.
namespace skelrt::detail
{

/// What a function is in such a sum.
enum class linear_function : std::uint8_t { none, sum, difference, multiple, opposite };
template <class F>
inline constexpr linear_function linear_function_of = linear_function::none;

template <class E>
concept adds_to_elements = requires
{
    typename E::skelrt_adds;
};

/// A node as a factor times a call that adds, or times elements.
template <class N, class T>
struct linear_term {
    static constexpr bool is_call = false, is_elements = false;
};
template <class N, class T>
concept a_linear_term = linear_term<N, T>::is_call || linear_term<N, T>::is_elements;

template <class T, int Rank>
struct linear_term<element_leaf<T, Rank>, T> {
    static constexpr bool is_call = false, is_elements = true, is_scaled = false;
    static const auto& leaf_of(const element_leaf<T, Rank>& n) { return n; }
    static T factor(const element_leaf<T, Rank>& /*one*/) { return T(1); }
};
template <adds_to_elements E>
struct linear_term<later_leaf<E>, typename E::value> {
    static constexpr bool is_call = true, is_elements = false, is_scaled = false;
    static const auto& leaf_of(const later_leaf<E>& n) { return n; }
    static auto factor(const later_leaf<E>& /*one*/) { return typename E::value(1); }
};

/// The same times another factor; node number K of the call is what is multiplied.
template <class Call, std::size_t K, class T>
struct scaled_term {
    using inner = linear_term<std::tuple_element_t<K, std::remove_cvref_t<decltype(std::declval<Call>().nodes())>>, T>;
    static constexpr bool is_call = inner::is_call, is_elements = inner::is_elements, is_scaled = true;
    static const auto& leaf_of(const Call& n) { return inner::leaf_of(std::get<K>(n.nodes())); }
    static T factor_of_inner(const Call& n) { return inner::factor(std::get<K>(n.nodes())); }
};
template <class F, class U, class N, class T>
    requires(linear_function_of<F> == linear_function::multiple && a_linear_term<N, T> && std::is_convertible_v<U, T>)
struct linear_term<map_expression<F, uniform_leaf<U>, N>, T>
    : scaled_term<map_expression<F, uniform_leaf<U>, N>, 1, T> {
    static T factor(const map_expression<F, uniform_leaf<U>, N>& n)
    {
        return static_cast<T>(static_cast<T>(std::get<0>(n.nodes()).held) * linear_term::factor_of_inner(n));
    }
};
template <class F, class N, class U, class T>
    requires(linear_function_of<F> == linear_function::multiple && a_linear_term<N, T> && std::is_convertible_v<U, T>)
struct linear_term<map_expression<F, N, uniform_leaf<U>>, T>
    : scaled_term<map_expression<F, N, uniform_leaf<U>>, 0, T> {
    static T factor(const map_expression<F, N, uniform_leaf<U>>& n)
    {
        return static_cast<T>(static_cast<T>(std::get<1>(n.nodes()).held) * linear_term::factor_of_inner(n));
    }
};
template <class F, class N, class T>
    requires(linear_function_of<F> == linear_function::opposite && a_linear_term<N, T>)
struct linear_term<map_expression<F, N>, T> : scaled_term<map_expression<F, N>, 0, T> {
    static T factor(const map_expression<F, N>& n) { return static_cast<T>(-linear_term::factor_of_inner(n)); }
};

/// What has factors that every device multiplies by.
template <class T>
concept scalable = std::is_arithmetic_v<T> || requires(T a)
{
    a.imag();
    a* a;
};

/// Two such terms, one of each kind.
template <class N>
struct product_sum {
    static constexpr bool is_one = false;
};
template <class F, class A, class B>
    requires(linear_function_of<F> == linear_function::sum || linear_function_of<F> == linear_function::difference)
struct product_sum<map_expression<F, A, B>> {
    using node = map_expression<F, A, B>;
    using T = typename node::value;
    using left = linear_term<A, T>;
    using right = linear_term<B, T>;
    static constexpr bool call_first = left::is_call;
    static constexpr bool subtracts = linear_function_of<F> == linear_function::difference;

    static constexpr bool is_scaled = [] {
        if constexpr (a_linear_term<A, T> && a_linear_term<B, T>)
            return subtracts || left::is_scaled || right::is_scaled;
        else return false;
    }();
    static constexpr bool is_one =
        ((left::is_call && right::is_elements) || (left::is_elements && right::is_call)) && (!is_scaled || scalable<T>);

    static const auto& call_of(const node& n)
    {
        if constexpr (call_first) return left::leaf_of(std::get<0>(n.nodes())).source.call();
        else return right::leaf_of(std::get<1>(n.nodes())).source.call();
    }
    static const auto& elements_of(const node& n)
    {
        if constexpr (call_first) return right::leaf_of(std::get<1>(n.nodes()));
        else return left::leaf_of(std::get<0>(n.nodes()));
    }
    static T left_factor(const node& n) { return left::factor(std::get<0>(n.nodes())); }
    static T right_factor(const node& n)
    {
        const T f = right::factor(std::get<1>(n.nodes()));
        if constexpr (subtracts) return static_cast<T>(-f);
        else return f;
    }
};

/// Computes the sum where its elements are, if it goes to these. False: nothing is done, and it is a map like others.
template <class To, class N>
bool add_product(const To& to, const N& e)
{
    using sum = product_sum<N>;
    if constexpr (!sum::is_one || To::rank != 2) {
        return false;
    } else {
        const auto& own = sum::elements_of(e);
        if (!own.data || own.data.get() != to.storage().get() || own.place != to.place() || !fuses()) return false;
        if constexpr (!sum::is_scaled) {
            return sum::call_of(e).add_to(*own.data.get(), own.place);
        } else {
            const auto of_call = sum::call_first ? sum::left_factor(e) : sum::right_factor(e);
            const auto of_elements = sum::call_first ? sum::right_factor(e) : sum::left_factor(e);
            return sum::call_of(e).add_to(*own.data.get(), own.place, of_call, of_elements);
        }
    }
}

} // namespace skelrt::detail
