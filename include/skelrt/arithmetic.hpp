// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "reduce.hpp"

/// Arithmetic on containers, views, calls and sk::scalar, element by element: e = (a + b) * (c + d); x += 2.0f * y.
///
/// An operator makes a lazy map call, so everything that holds for sk::map holds here: the whole expression is one
/// kernel, operands have one shape, assigning it to a container or a view evaluates it, asynchronously, and in place
/// where the destination is an operand. `x += e` is x = x + e. At least one operand is ours; the other may be a plain
/// value, which is the same for all elements, or a reduction to one value.
/// sk::per_row(v) and sk::per_column(v) stand beside matrices.
///
/// Element types are converted as C++ converts: int + float is float, float * double is double, short + short is int,
/// comparisons give bool. What is assigned has the container's element type; sk::cast<T>(e) makes it so. Conditions
/// compute both sides: there is no order in which && and || look at theirs.
/// Errors: as sk::map.
namespace skelrt
{

namespace detail
{

template <class T>
concept arithmetic_operand = std::is_base_of_v<operators::enabled, std::remove_cvref_t<T>>;

/// What may stand beside an operand.
template <class T>
concept plain_value = element_type<T> && !std::is_array_v<T> && !std::is_pointer_v<T> && !std::is_null_pointer_v<T>;
template <class T>
concept beside_operand = arithmetic_operand<T> || expression<T> || plain_value<std::remove_cvref_t<T>>;

template <class A, class B>
concept arithmetic_operands = (arithmetic_operand<A> && beside_operand<B>) ||
                              (beside_operand<A> && arithmetic_operand<B>);

/// Functions of this library take reductions to one value, too, which stay on the device.
template <class T>
concept function_operand = arithmetic_operand<T> || expression<std::remove_cvref_t<T>>;
template <class A, class B>
concept function_operands = (function_operand<A> && beside_operand<B>) || (beside_operand<A> && function_operand<B>);

/// What an operator's function gets of an operand: the element, or the value.
template <class A>
struct element_seen {
    using type = A;
};
template <class A>
    requires arithmetic_operand<A> && requires { typename A::value_type; }
struct element_seen<A> {
    using type = typename A::value_type;
};
template <expression A>
struct element_seen<A> {
    using type = typename A::value;
};
template <class T, int Rank, bool Rows>
struct element_seen<side_operand<T, Rank, Rows>> {
    using type = T;
};
template <class A>
using element_t = typename element_seen<std::remove_cvref_t<A>>::type;

/// What C++ converts the operands of + to; of other types than numbers nothing is said.
template <class A, class B>
struct usual {
    using type = void;
};
template <class A, class B>
    requires std::is_arithmetic_v<A> && std::is_arithmetic_v<B>
struct usual<A, B> {
    using type = decltype(A{} + B{});
};
template <class A, class B>
using usual_t = typename usual<A, B>::type;

/// What C++ converts both sides of ?: to.
template <class A, class B>
struct either {
    using type = void;
};
template <class A, class B>
    requires std::is_arithmetic_v<A> && std::is_arithmetic_v<B>
struct either<A, B> {
    using type = std::common_type_t<A, B>;
};

/// `v` as a C; as it is where C is void. So the compiler sees conversions that are meant, and warns of none.
template <class C, class V>
constexpr auto as(const V& v)
{
    if constexpr (std::is_void_v<C>) return v;
    else return static_cast<C>(v);
}

/// The type of computations of <cmath>: double for whole numbers.
template <class... A>
struct real {
    using type = void;
};
template <class... A>
    requires(std::is_arithmetic_v<A>&&...)
struct real<A...> {
    using sum = decltype((A{} + ...));
    using type = std::conditional_t<std::is_floating_point_v<sum>, sum, double>;
};
template <class... A>
using real_t = typename real<A...>::type;

/// An operand as an argument of a call. Plain numbers become `C` here, once, and not at every element.
template <class C, class A>
decltype(auto) argument_of(A&& a)
{
    using T = std::remove_cvref_t<A>;
    if constexpr (arithmetic_operand<A> || expression<A>) {
        return std::forward<A>(a);
    } else if constexpr (std::is_arithmetic_v<T>) {
        return as<C>(a);
    } else {
        return std::forward<A>(a);
    }
}

/// As make_argument(), but that calls of nobody's are moved: their copies count references.
template <bool Store, std::size_t Stencils, class A>
auto operator_node(A&& a)
{
    using T = std::remove_cvref_t<A>;
    if constexpr (std::is_lvalue_reference_v<A> || !requires { typename T::skelrt_map; })
        return make_argument<deduced, Store, Stencils>(a);
    else if constexpr (comes_first<T, Store, Stencils>) return make_argument<deduced, Store, Stencils>(a);
    else return T(std::forward<A>(a));
}

/// A call of one of the functions below, as sk::map(F)(args...) makes it.
template <class F, class... Args>
auto call_of(Args&&... args)
{
    static_assert(std::is_invocable_v<F, element_t<Args>...>,
                  "skelrt: the elements of these operands have no such operator");
    constexpr bool store = (has_sides<decltype(make_node<deduced>(args))> || ...);
    constexpr std::size_t stencils = stencils_in<std::remove_cvref_t<Args>...>;
    using result = map_expression<F, decltype(operator_node<store, stencils>(std::forward<Args>(args)))...>;
    return result(function_source{F::text, F::name, 1}, extent{},
                  operator_node<store, stencils>(std::forward<Args>(args))...);
}

template <class F, class A, class B>
auto binary(A&& a, B&& b)
{
    using C = usual_t<element_t<A>, element_t<B>>;
    return call_of<F>(argument_of<C>(std::forward<A>(a)), argument_of<C>(std::forward<B>(b)));
}

// The functions: their text for devices, what messages call them, and what the host computes.

struct add {
    static constexpr const char *text = "(auto a, auto b) { return a + b; }", *name = "operator +";
    template <class A, class B, class C = usual_t<A, B>>
    constexpr auto operator()(A a, B b) const -> decltype(as<C>(a) + as<C>(b))
    {
        return as<C>(a) + as<C>(b);
    }
};
struct subtract {
    static constexpr const char *text = "(auto a, auto b) { return a - b; }", *name = "operator -";
    template <class A, class B, class C = usual_t<A, B>>
    constexpr auto operator()(A a, B b) const -> decltype(as<C>(a) - as<C>(b))
    {
        return as<C>(a) - as<C>(b);
    }
};
struct multiply {
    static constexpr const char *text = "(auto a, auto b) { return a * b; }", *name = "operator *";
    template <class A, class B, class C = usual_t<A, B>>
    constexpr auto operator()(A a, B b) const -> decltype(as<C>(a) * as<C>(b))
    {
        return as<C>(a) * as<C>(b);
    }
};
struct divide {
    static constexpr const char *text = "(auto a, auto b) { return a / b; }", *name = "operator /";
    template <class A, class B, class C = usual_t<A, B>>
    constexpr auto operator()(A a, B b) const -> decltype(as<C>(a) / as<C>(b))
    {
        return as<C>(a) / as<C>(b);
    }
};
struct remainder {
    static constexpr const char *text = "(auto a, auto b) { return a % b; }", *name = "operator %";
    template <class A, class B, class C = usual_t<A, B>>
    constexpr auto operator()(A a, B b) const -> decltype(as<C>(a) % as<C>(b))
    {
        return as<C>(a) % as<C>(b);
    }
};
struct opposite {
    static constexpr const char *text = "(auto a) { return -a; }", *name = "operator -";
    template <class A>
    constexpr auto operator()(A a) const -> decltype(-a)
    {
        return -a;
    }
};
struct equal {
    static constexpr const char *text = "(auto a, auto b) { return a == b; }", *name = "operator ==";
    template <class A, class B, class C = usual_t<A, B>>
    constexpr auto operator()(A a, B b) const -> decltype(bool(as<C>(a) == as<C>(b)))
    {
        return as<C>(a) == as<C>(b);
    }
};
struct unequal {
    static constexpr const char *text = "(auto a, auto b) { return a != b; }", *name = "operator !=";
    template <class A, class B, class C = usual_t<A, B>>
    constexpr auto operator()(A a, B b) const -> decltype(bool(as<C>(a) != as<C>(b)))
    {
        return as<C>(a) != as<C>(b);
    }
};
struct less {
    static constexpr const char *text = "(auto a, auto b) { return a < b; }", *name = "operator <";
    template <class A, class B, class C = usual_t<A, B>>
    constexpr auto operator()(A a, B b) const -> decltype(bool(as<C>(a) < as<C>(b)))
    {
        return as<C>(a) < as<C>(b);
    }
};
struct at_most {
    static constexpr const char *text = "(auto a, auto b) { return a <= b; }", *name = "operator <=";
    template <class A, class B, class C = usual_t<A, B>>
    constexpr auto operator()(A a, B b) const -> decltype(bool(as<C>(a) <= as<C>(b)))
    {
        return as<C>(a) <= as<C>(b);
    }
};
struct both {
    static constexpr const char *text = "(auto a, auto b) { return a && b; }", *name = "operator &&";
    template <class A, class B>
    constexpr auto operator()(A a, B b) const -> decltype(bool(a && b))
    {
        return a && b;
    }
};
struct any_of_two {
    static constexpr const char *text = "(auto a, auto b) { return a || b; }", *name = "operator ||";
    template <class A, class B>
    constexpr auto operator()(A a, B b) const -> decltype(bool(a || b))
    {
        return a || b;
    }
};
struct no {
    static constexpr const char *text = "(auto a) { return !a; }", *name = "operator !";
    template <class A>
    constexpr auto operator()(A a) const -> decltype(bool(!a))
    {
        return !a;
    }
};

template <>
inline constexpr linear_function linear_function_of<add> = linear_function::sum;
template <>
inline constexpr linear_function linear_function_of<subtract> = linear_function::difference;
template <>
inline constexpr linear_function linear_function_of<multiply> = linear_function::multiple;
template <>
inline constexpr linear_function linear_function_of<opposite> = linear_function::opposite;

struct choose {
    static constexpr const char *text = "(auto c, auto a, auto b) { return c ? a : b; }", *name = "sk::where";
    template <class Condition, class A, class B, class C = typename either<A, B>::type>
    constexpr auto operator()(Condition c, A a, B b) const -> decltype(c ? as<C>(a) : as<C>(b))
    {
        return c ? as<C>(a) : as<C>(b);
    }
};
struct smaller {
    static constexpr const char *text = "(auto a, auto b) { return b < a ? b : a; }", *name = "sk::min";
    template <class A, class B, class C = typename either<A, B>::type>
    constexpr auto operator()(A a, B b) const -> decltype(as<C>(b) < as<C>(a) ? as<C>(b) : as<C>(a))
    {
        return as<C>(b) < as<C>(a) ? as<C>(b) : as<C>(a);
    }
};
struct larger {
    static constexpr const char *text = "(auto a, auto b) { return a < b ? b : a; }", *name = "sk::max";
    template <class A, class B, class C = typename either<A, B>::type>
    constexpr auto operator()(A a, B b) const -> decltype(as<C>(a) < as<C>(b) ? as<C>(b) : as<C>(a))
    {
        return as<C>(a) < as<C>(b) ? as<C>(b) : as<C>(a);
    }
};

/// "(auto a) { return static_cast<T>(a); }", which C++ cannot say without T's name.
template <class T>
struct cast_text {
    static constexpr std::string_view front = "(auto a) { return static_cast<", back = ">(a); }", name = type_text<T>();
    static constexpr auto value = [] {
        std::array<char, front.size() + name.size() + back.size() + 1> all{};
        std::size_t n = 0;
        for (const std::string_view part : {front, name, back})
            for (const char c : part) all[n++] = c;
        return all;
    }();
};
template <class T>
struct cast_to {
    static constexpr const char *text = cast_text<T>::value.data(), *name = "sk::cast";
    template <class A>
    constexpr auto operator()(A a) const -> decltype(static_cast<T>(a))
    {
        return static_cast<T>(a);
    }
};

// Of <cmath>, without including it: that costs every program a tenth of a second.

template <class T>
inline constexpr bool is_real = std::is_same_v<T, float> || std::is_same_v<T, double>;

struct absolute {
    static constexpr const char *text = "(auto a) { return fabs(a); }", *name = "sk::abs";
    template <class T>
    constexpr T operator()(T a) const requires is_real<T>
    {
        if constexpr (sizeof(T) == 4) return __builtin_fabsf(a);
        else return __builtin_fabs(a);
    }
};
struct absolute_integer {
    static constexpr const char *text = "(auto a) { return a < 0 ? -a : a; }", *name = "sk::abs";
    template <class T>
    constexpr auto operator()(T a) const requires std::is_integral_v<T>
    {
        return a < 0 ? -a : +a;
    }
};
struct absolute_unsigned {
    static constexpr const char *text = "(auto a) { return +a; }", *name = "sk::abs";
    template <class T>
    constexpr auto operator()(T a) const requires std::is_integral_v<T>
    {
        return +a;
    }
};
struct square_root {
    static constexpr const char *text = "(auto a) { return sqrt(a); }", *name = "sk::sqrt";
    template <class T>
    constexpr T operator()(T a) const requires is_real<T>
    {
        if constexpr (sizeof(T) == 4) return __builtin_sqrtf(a);
        else return __builtin_sqrt(a);
    }
};
struct exponential {
    static constexpr const char *text = "(auto a) { return exp(a); }", *name = "sk::exp";
    template <class T>
    constexpr T operator()(T a) const requires is_real<T>
    {
        if constexpr (sizeof(T) == 4) return __builtin_expf(a);
        else return __builtin_exp(a);
    }
};
struct logarithm {
    static constexpr const char *text = "(auto a) { return log(a); }", *name = "sk::log";
    template <class T>
    constexpr T operator()(T a) const requires is_real<T>
    {
        if constexpr (sizeof(T) == 4) return __builtin_logf(a);
        else return __builtin_log(a);
    }
};
struct sine {
    static constexpr const char *text = "(auto a) { return sin(a); }", *name = "sk::sin";
    template <class T>
    constexpr T operator()(T a) const requires is_real<T>
    {
        if constexpr (sizeof(T) == 4) return __builtin_sinf(a);
        else return __builtin_sin(a);
    }
};
struct cosine {
    static constexpr const char *text = "(auto a) { return cos(a); }", *name = "sk::cos";
    template <class T>
    constexpr T operator()(T a) const requires is_real<T>
    {
        if constexpr (sizeof(T) == 4) return __builtin_cosf(a);
        else return __builtin_cos(a);
    }
};
struct tangent {
    static constexpr const char *text = "(auto a) { return tan(a); }", *name = "sk::tan";
    template <class T>
    constexpr T operator()(T a) const requires is_real<T>
    {
        if constexpr (sizeof(T) == 4) return __builtin_tanf(a);
        else return __builtin_tan(a);
    }
};
struct round_down {
    static constexpr const char *text = "(auto a) { return floor(a); }", *name = "sk::floor";
    template <class T>
    constexpr T operator()(T a) const requires is_real<T>
    {
        if constexpr (sizeof(T) == 4) return __builtin_floorf(a);
        else return __builtin_floor(a);
    }
};
struct round_up {
    static constexpr const char *text = "(auto a) { return ceil(a); }", *name = "sk::ceil";
    template <class T>
    constexpr T operator()(T a) const requires is_real<T>
    {
        if constexpr (sizeof(T) == 4) return __builtin_ceilf(a);
        else return __builtin_ceil(a);
    }
};
struct power {
    static constexpr const char *text = "(auto a, auto b) { return pow(a, b); }", *name = "sk::pow";
    template <class T>
    constexpr T operator()(T a, T b) const requires is_real<T>
    {
        if constexpr (sizeof(T) == 4) return __builtin_powf(a, b);
        else return __builtin_pow(a, b);
    }
};

/// An operand whose elements are `C`; others are cast.
template <class C, class A>
decltype(auto) elements_as(A&& a)
{
    static_assert(!std::is_void_v<C>, "skelrt: the functions of <cmath> are for elements that are numbers");
    if constexpr (!arithmetic_operand<A> && !expression<A>) return as<C>(a);
    else if constexpr (std::is_same_v<element_t<A>, C>) return argument_of<C>(std::forward<A>(a));
    else return call_of<cast_to<C>>(argument_of<C>(std::forward<A>(a)));
}

template <class F, class A>
auto math(A&& a)
{
    return call_of<F>(elements_as<real_t<element_t<A>>>(std::forward<A>(a)));
}

/// What a compound assignment stores: of the container's type, or what C++ promotes that to, converted back.
template <class T, class E>
auto stored_as(E&& e)
{
    using V = element_t<E>;
    if constexpr (std::is_same_v<T, V>) {
        return std::forward<E>(e);
    } else {
        static_assert(std::is_same_v<usual_t<T, T>, V>,
                      "skelrt: this compound assignment would narrow its result to the container's element type: write "
                      "2.0f beside floats, or sk::cast<T>(e) where it is meant");
        return call_of<cast_to<T>>(std::forward<E>(e));
    }
}

/// What stands to the left of +=: a container or a scalar that may change, or a view.
template <class To>
concept changeable =
    arithmetic_operand<std::remove_reference_t<To>> && !std::is_const_v<std::remove_reference_t<To>> && requires
{
    typename std::remove_reference_t<To>::value_type;
}
&&(std::is_lvalue_reference_v<To> || requires { typename To::skelrt_view; });

template <class F, class To, class E>
To& change(To& to, E&& e)
{
    return to = stored_as<typename To::value_type>(binary<F>(to, std::forward<E>(e)));
}

} // namespace detail

// Found through the operands alone: no other type's operators are looked for here.
namespace operators
{

template <class A, class B>
    requires detail::arithmetic_operands<A, B>
auto operator+(A&& a, B&& b) { return detail::binary<detail::add>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B>
    requires detail::arithmetic_operands<A, B>
auto operator-(A&& a, B&& b) { return detail::binary<detail::subtract>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B>
    requires detail::arithmetic_operands<A, B>
auto operator*(A&& a, B&& b) { return detail::binary<detail::multiply>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B>
    requires detail::arithmetic_operands<A, B>
auto operator/(A&& a, B&& b) { return detail::binary<detail::divide>(std::forward<A>(a), std::forward<B>(b)); }
/// Whole numbers only.
template <class A, class B>
    requires detail::arithmetic_operands<A, B>
auto operator%(A&& a, B&& b) { return detail::binary<detail::remainder>(std::forward<A>(a), std::forward<B>(b)); }
template <detail::arithmetic_operand A>
auto operator-(A&& a)
{
    return detail::call_of<detail::opposite>(std::forward<A>(a));
}

template <class A, class B>
    requires detail::arithmetic_operands<A, B>
auto operator==(A&& a, B&& b) { return detail::binary<detail::equal>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B>
    requires detail::arithmetic_operands<A, B>
auto operator!=(A&& a, B&& b) { return detail::binary<detail::unequal>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B>
    requires detail::arithmetic_operands<A, B>
auto operator<(A&& a, B&& b) { return detail::binary<detail::less>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B>
    requires detail::arithmetic_operands<A, B>
auto operator<=(A&& a, B&& b) { return detail::binary<detail::at_most>(std::forward<A>(a), std::forward<B>(b)); }
template <class A, class B>
    requires detail::arithmetic_operands<A, B>
auto operator>(A&& a, B&& b) { return detail::binary<detail::less>(std::forward<B>(b), std::forward<A>(a)); }
template <class A, class B>
    requires detail::arithmetic_operands<A, B>
auto operator>=(A&& a, B&& b) { return detail::binary<detail::at_most>(std::forward<B>(b), std::forward<A>(a)); }

/// Of conditions; both sides are computed.
template <class A, class B>
    requires detail::arithmetic_operands<A, B>
auto operator&&(A&& a, B&& b)
{
    return detail::call_of<detail::both>(detail::argument_of<bool>(std::forward<A>(a)),
                                         detail::argument_of<bool>(std::forward<B>(b)));
}
template <class A, class B>
    requires detail::arithmetic_operands<A, B>
auto operator||(A&& a, B&& b)
{
    return detail::call_of<detail::any_of_two>(detail::argument_of<bool>(std::forward<A>(a)),
                                               detail::argument_of<bool>(std::forward<B>(b)));
}
template <detail::arithmetic_operand A>
auto operator!(A&& a)
{
    return detail::call_of<detail::no>(std::forward<A>(a));
}

/// x = x + e, converted as C++ converts unless that would narrow.
template <detail::changeable To, class E>
    requires detail::beside_operand<E>
auto& operator+=(To&& to, E&& e) { return detail::change<detail::add>(to, std::forward<E>(e)); }
template <detail::changeable To, class E>
    requires detail::beside_operand<E>
auto& operator-=(To&& to, E&& e) { return detail::change<detail::subtract>(to, std::forward<E>(e)); }
template <detail::changeable To, class E>
    requires detail::beside_operand<E>
auto& operator*=(To&& to, E&& e) { return detail::change<detail::multiply>(to, std::forward<E>(e)); }
template <detail::changeable To, class E>
    requires detail::beside_operand<E>
auto& operator/=(To&& to, E&& e) { return detail::change<detail::divide>(to, std::forward<E>(e)); }
template <detail::changeable To, class E>
    requires detail::beside_operand<E>
auto& operator%=(To&& to, E&& e) { return detail::change<detail::remainder>(to, std::forward<E>(e)); }

} // namespace operators

/// |a|; of whole numbers in the type that C++ promotes theirs to.
template <detail::function_operand A>
auto abs(A&& a)
{
    using T = detail::element_t<A>;
    if constexpr (std::is_unsigned_v<T>) return detail::call_of<detail::absolute_unsigned>(std::forward<A>(a));
    else if constexpr (std::is_integral_v<T>) return detail::call_of<detail::absolute_integer>(std::forward<A>(a));
    else return detail::call_of<detail::absolute>(std::forward<A>(a));
}

/// sqrt, exp, log, sin, cos, tan, floor, ceil, as in <cmath>: floats in float, doubles and whole numbers in double.
template <detail::function_operand A>
auto sqrt(A&& a)
{
    return detail::math<detail::square_root>(std::forward<A>(a));
}
template <detail::function_operand A>
auto exp(A&& a)
{
    return detail::math<detail::exponential>(std::forward<A>(a));
}
template <detail::function_operand A>
auto log(A&& a)
{
    return detail::math<detail::logarithm>(std::forward<A>(a));
}
template <detail::function_operand A>
auto sin(A&& a)
{
    return detail::math<detail::sine>(std::forward<A>(a));
}
template <detail::function_operand A>
auto cos(A&& a)
{
    return detail::math<detail::cosine>(std::forward<A>(a));
}
template <detail::function_operand A>
auto tan(A&& a)
{
    return detail::math<detail::tangent>(std::forward<A>(a));
}
template <detail::function_operand A>
auto floor(A&& a)
{
    return detail::math<detail::round_down>(std::forward<A>(a));
}
template <detail::function_operand A>
auto ceil(A&& a)
{
    return detail::math<detail::round_up>(std::forward<A>(a));
}
/// a to the power of b, in the type that a * b has, or double for whole numbers: sk::pow(x, 2) of floats is of floats.
template <class A, class B>
    requires detail::function_operands<A, B>
auto pow(A&& a, B&& b)
{
    using C = detail::real_t<detail::element_t<A>, detail::element_t<B>>;
    return detail::call_of<detail::power>(detail::elements_as<C>(std::forward<A>(a)),
                                          detail::elements_as<C>(std::forward<B>(b)));
}

/// min and max of two operands, as in <algorithm>; their types may differ.
template <class A, class B>
    requires detail::function_operands<A, B>
auto min(A&& a, B&& b)
{
    using C = typename detail::either<detail::element_t<A>, detail::element_t<B>>::type;
    return detail::call_of<detail::smaller>(detail::argument_of<C>(std::forward<A>(a)),
                                            detail::argument_of<C>(std::forward<B>(b)));
}
template <class A, class B>
    requires detail::function_operands<A, B>
auto max(A&& a, B&& b)
{
    using C = typename detail::either<detail::element_t<A>, detail::element_t<B>>::type;
    return detail::call_of<detail::larger>(detail::argument_of<C>(std::forward<A>(a)),
                                           detail::argument_of<C>(std::forward<B>(b)));
}

/// a where the condition holds, b elsewhere: y = sk::where(x < 0.0f, 0.0f, x). Both are computed.
template <detail::function_operand Condition, detail::beside_operand A, detail::beside_operand B>
auto where(Condition&& condition, A&& a, B&& b)
{
    using C = typename detail::either<detail::element_t<A>, detail::element_t<B>>::type;
    return detail::call_of<detail::choose>(std::forward<Condition>(condition),
                                           detail::argument_of<C>(std::forward<A>(a)),
                                           detail::argument_of<C>(std::forward<B>(b)));
}

/// The elements converted to T: sk::vector<int> n = sk::cast<int>(x).
template <class T, detail::function_operand A>
auto cast(A&& a)
{
    static_assert(std::is_arithmetic_v<T>, "skelrt: sk::cast makes numbers");
    return detail::call_of<detail::cast_to<T>>(std::forward<A>(a));
}

namespace detail
{
template <>
inline constexpr bool is_commutative<both> = true;
template <>
inline constexpr bool is_commutative<any_of_two> = true;
} // namespace detail

/// Whether a condition holds for all elements: if (sk::all(a == b)). A reduction, which waits where it is used as a
/// bool, and of no elements is true.
template <detail::function_operand A>
auto all(A&& condition)
{
    return reduce(function<detail::both>({}, detail::both::text, "sk::all", 1), true)(condition);
}
/// Whether it holds for any; of no elements: false.
template <detail::function_operand A>
auto any(A&& condition)
{
    return reduce(function<detail::any_of_two>({}, detail::any_of_two::text, "sk::any", 1), false)(condition);
}

} // namespace skelrt
