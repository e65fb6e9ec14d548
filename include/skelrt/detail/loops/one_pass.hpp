// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../api.hpp"
#include "../recipe.hpp"
#include "../type_text.hpp"
#include "folds.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <initializer_list>
#include <string_view>
#include <tuple>
#include <utility>

/// Several reductions as one: a reduction of structs whose members are combined each by its own operator. This header
/// has these structs, what makes and combines them on the host, and the texts of the same for the devices.
namespace skelrt::one_pass
{

/// Devices have them in src/function/own/own_types.cpp. In skelrt::detail g++ would name them otherwise than clang++.
template <class T0, class T1>
struct values2 {
    T0 v0;
    T1 v1;
};
template <class T0, class T1, class T2>
struct values3 {
    T0 v0;
    T1 v1;
    T2 v2;
};
template <class T0, class T1, class T2, class T3>
struct values4 {
    T0 v0;
    T1 v1;
    T2 v2;
    T3 v3;
};
template <class T0, class T1, class T2, class T3, class T4>
struct values5 {
    T0 v0;
    T1 v1;
    T2 v2;
    T3 v3;
    T4 v4;
};
template <class T0, class T1, class T2, class T3, class T4, class T5>
struct values6 {
    T0 v0;
    T1 v1;
    T2 v2;
    T3 v3;
    T4 v4;
    T5 v5;
};

} // namespace skelrt::one_pass

namespace skelrt::detail
{

template <class... T>
struct one_pass_values;
template <class... T>
    requires(sizeof...(T) == 2)
struct one_pass_values<T...> {
    using type = one_pass::values2<T...>;
};
template <class... T>
    requires(sizeof...(T) == 3)
struct one_pass_values<T...> {
    using type = one_pass::values3<T...>;
};
template <class... T>
    requires(sizeof...(T) == 4)
struct one_pass_values<T...> {
    using type = one_pass::values4<T...>;
};
template <class... T>
    requires(sizeof...(T) == 5)
struct one_pass_values<T...> {
    using type = one_pass::values5<T...>;
};
template <class... T>
    requires(sizeof...(T) == 6)
struct one_pass_values<T...> {
    using type = one_pass::values6<T...>;
};

/// The struct that holds one value of each type.
template <class... T>
using values_of = typename one_pass_values<T...>::type;

/// Member I of such a struct.
template <std::size_t I, class S>
auto& value_in(S& all)
{
    if constexpr (I == 0) return all.v0;
    else if constexpr (I == 1) return all.v1;
    else if constexpr (I == 2) return all.v2;
    else if constexpr (I == 3) return all.v3;
    else if constexpr (I == 4) return all.v4;
    else return all.v5;
}

// Texts that live as long as the process. `whole`: the struct.

/// A struct of what is given: one value for each member, or one for all.
SKELRT_API const char* text_that_collects(std::string_view whole, std::initializer_list<std::string_view> given,
                                          std::initializer_list<std::string_view> members);
/// An operator for each member; its source lives as long as the process.
struct combined_member {
    const function_source* op;
    std::string_view type;
};
/// Two structs combined member by member.
SKELRT_API const char* text_that_combines(std::string_view whole, std::initializer_list<combined_member> members);
/// The same for those members whose bits a number has; the others stay as the second struct has them.
SKELRT_API const char* text_that_starts(std::string_view whole, std::initializer_list<combined_member> members);
/// One member.
SKELRT_API const char* text_that_picks(std::string_view whole, unsigned member);

/// Each of the values becomes a member.
template <class... T>
struct collect_values {
    template <class... V>
    values_of<T...> operator()(const V&... v) const
    {
        return {static_cast<T>(v)...};
    }
};
/// One value becomes every member.
template <class... T>
struct spread_value {
    template <class V>
    values_of<T...> operator()(const V& v) const
    {
        return {static_cast<T>(v)...};
    }
};

template <unsigned I>
struct pick_value {
    template <class S>
    auto operator()(const S& all) const
    {
        return value_in<I>(all);
    }
};

template <class Types, class... Op>
struct combine_each;
template <class... T, class... Op>
struct combine_each<type_list<T...>, Op...> {
    using whole = values_of<T...>;
    whole operator()(const whole& a, const whole& b) const { return call(a, b, std::index_sequence_for<T...>{}); }

private:
    template <std::size_t... I>
    static whole call(const whole& a, const whole& b, std::index_sequence<I...>)
    {
        return {static_cast<T>(Op{}(value_in<I>(a), value_in<I>(b)))...};
    }
};

template <class Types, class... Op>
struct put_starts;
template <class... T, class... Op>
struct put_starts<type_list<T...>, Op...> {
    using whole = values_of<T...>;
    whole operator()(const whole& start, unsigned which, const whole& all) const
    {
        return call(start, which, all, std::index_sequence_for<T...>{});
    }

private:
    template <std::size_t... I>
    static whole call(const whole& start, unsigned which, const whole& all, std::index_sequence<I...>)
    {
        return {static_cast<T>(which >> I & 1 ? static_cast<T>(Op{}(value_in<I>(start), value_in<I>(all)))
                                              : value_in<I>(all))...};
    }
};

/// Members are made one by one: the others' arguments are not looked at.
template <class... T, class... Nodes>
struct members_of_row<map_expression<collect_values<T...>, Nodes...>> {
    static constexpr bool known = true;
    template <class Reader>
    struct values {
        const Reader& read;
        position first;
        std::exception_ptr& what;

        auto operator()(std::size_t c) const noexcept { return all(c, std::index_sequence_for<T...>{}); }
        template <std::size_t I>
        auto member(std::size_t c) const noexcept
        {
            using V = std::tuple_element_t<I, std::tuple<T...>>;
            using node = std::tuple_element_t<I, std::tuple<Nodes...>>;
            return guarded_value<V>(what, [&] {
                return static_cast<V>(
                    evaluate<node, leaves_before(I)>(read, position{first.row, first.col0, first.width, c}));
            });
        }

    private:
        template <std::size_t... I>
        values_of<T...> all(std::size_t c, std::index_sequence<I...>) const noexcept
        {
            return {member<I>(c)...};
        }
        static constexpr std::size_t leaves_before(std::size_t node)
        {
            constexpr std::size_t counts[] = {leaf_count<Nodes>::value...};
            std::size_t n = 0;
            for (std::size_t k = 0; k < node; ++k) n += counts[k];
            return n;
        }
    };
};
/// An operand as it is costs nothing to look at again. What a call makes of it is made once.
template <class... T, leaf Node>
struct members_of_row<map_expression<spread_value<T...>, Node>> {
    static constexpr bool known = true;
    template <class Reader>
    struct values {
        const Reader& read;
        position first;
        std::exception_ptr& what;

        values_of<T...> operator()(std::size_t c) const noexcept
        {
            return spread_value<T...>{}(read.template get<0>(c));
        }
        template <std::size_t I>
        auto member(std::size_t c) const noexcept
        {
            return static_cast<std::tuple_element_t<I, std::tuple<T...>>>(read.template get<0>(c));
        }
    };
};

/// A few elements are combined member by member, each in a loop of its own: it vectorises as that of a single reduction
/// does, and what the elements are made of is in the cache by then.
template <class S, class... T, class... Op>
struct guarded_operator<S, combine_each<type_list<T...>, Op...>> {
    std::exception_ptr* what;
    bool failed() const noexcept { return *what != nullptr; }

    S operator()(const S& a, const S& b) const noexcept
    {
        return guarded_value<S>(*what, [&] { return combine_each<type_list<T...>, Op...>{}(a, b); });
    }

    /// The values first .. first + n, n > 0, combined in order.
    template <class Value>
    S fold_few(const Value& value, std::size_t first, std::size_t n) const
    {
        if constexpr (requires { value.template member<0>(n); })
            return fold_members(value, first, n, std::index_sequence_for<T...>{});
        else return fold_columns(value, first, n, std::index_sequence_for<T...>{});
    }

private:
    template <class Value, std::size_t... I>
    S fold_members(const Value& value, std::size_t first, std::size_t n, std::index_sequence<I...>) const
    {
        return {fold_one<Op, T>([&](std::size_t i) noexcept { return value.template member<I>(first + i); }, n)...};
    }

    template <class V>
    struct column {
        alignas(64) std::byte memory[fold_width * sizeof(V)];
        V* values() { return reinterpret_cast<V*>(memory); }
    };

    /// The values are made once, and their members laid down first.
    template <class Value, std::size_t... I>
    S fold_columns(const Value& value, std::size_t begin, std::size_t n, std::index_sequence<I...>) const
    {
        std::tuple<column<T>...> columns; // written before they are read
        S all{};
        for (std::size_t first = 0; first < n; first += fold_width) {
            const std::size_t count = std::min(fold_width, n - first);
            const std::tuple<T*...> to{std::get<I>(columns).values()...};
#pragma omp simd
            for (std::size_t i = 0; i < count; ++i) {
                const S v = value(begin + first + i);
                ((std::get<I>(to)[i] = value_in<I>(v)), ...);
            }
            const S part{
                fold_one<Op, T>([values = std::get<I>(to)](std::size_t i) noexcept { return values[i]; }, count)...};
            all = first > 0 ? (*this)(all, part) : part;
        }
        return all;
    }

    template <class One, class V, class Value>
    V fold_one(const Value& value, std::size_t n) const
    {
        return fold_few_values<is_commutative<One>, V>(value, n, guarded_operator<V, One>{what});
    }
};

} // namespace skelrt::detail
