// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../detail/type_text.hpp"
#include "../../map.hpp"

#include <initializer_list>
#include <string_view>

/// User functions that the library writes itself: a struct for the host, which does the same as a text for the devices.
namespace skelrt::detail
{

/// The text with types in the places of $0, $1, ..., as devices know them. Lives as long as the process.
SKELRT_API const char* text_with_types(std::string_view text, std::initializer_list<std::string_view> types);

/// `F` has a `text`, in which $0, $1, ... stand for `Types`, and a `name` for messages; calls of several algorithms
/// that share it go by the name of the first.
template <class F, class... Types>
function<F> own_function()
{
    static const char* const text = text_with_types(F::text, {type_text<Types>()...});
    return function<F>(F{}, function_source{text, F::name, 1});
}

/// The text with a name for `op` in the place of $op, and the types that it is called with in those of $0 and $1. The
/// devices' translators put the operator there, which lives as long as the process, as the text does; each call gives a
/// text of its own.
SKELRT_API const char* text_with_operator(std::string_view text, const function_source& op, std::string_view first,
                                          std::string_view second);

/// `F` calls an operator that the user gives: $op in its text, which takes a `First` and a `Second` and gives a bool.
template <class F, class First, class Second, class Op>
function<F> own_function_calling(const function<Op>& op)
{
    static const char* const text =
        text_with_operator(F::text, *keep_source(op.source()), type_text<First>(), type_text<Second>());
    return function<F>(F{}, function_source{text, F::name, 1});
}

/// A vector as it is; anything else that has elements is stored in one.
template <class X>
decltype(auto) stored(const X& x)
{
    if constexpr (container<X>) {
        static_assert(X::rank == 1, "skelrt: this algorithm takes vectors; pass m.row(i) or m.column(j)");
        using T = typename X::value_type;
        if constexpr (std::is_same_v<X, vector<T>>) {
            return (x); // a reference
        } else {
            vector<T> all;
            assign_map_to_container(all, copy_of(x));
            return all;
        }
    } else {
        return vector<typename X::value>(x);
    }
}

/// For messages of algorithms that take two operands.
[[noreturn]] SKELRT_API void throw_no_offsets();
[[noreturn]] SKELRT_API void throw_rotation(std::size_t first, std::size_t n);
[[noreturn]] SKELRT_API void throw_top_k(const char* call, std::size_t k, std::size_t n);
[[noreturn]] SKELRT_API void throw_other_sizes(const char* call, const char* first, std::size_t count,
                                               const char* second, std::size_t other);

/// A container, a view or a map call as it is; of any other call nobody knows the size before it is computed.
template <class X>
decltype(auto) counted(const X& x)
{
    if constexpr (container<X> || requires { typename X::skelrt_map; }) return (x);
    else return stored(x);
}

/// How many elements one that is counted() has.
template <class X>
std::size_t operand_size(const X& x, const char* name)
{
    if constexpr (container<X>) {
        return static_cast<std::size_t>(x.place().rows * x.place().cols);
    } else {
        recipe r;
        r.name = name;
        extent e;
        std::size_t argument = 0;
        join_extent(x, e, argument, r);
        if (!e.known()) throw_no_shape(r);
        return e.rows * e.cols;
    }
}

/// The elements of a container, or of a call.
template <class X>
struct element_of_operand {
    using type = typename X::value;
};
template <container X>
struct element_of_operand<X> {
    using type = typename X::value_type;
};
template <class X>
using operand_element = typename element_of_operand<X>::type;

} // namespace skelrt::detail
