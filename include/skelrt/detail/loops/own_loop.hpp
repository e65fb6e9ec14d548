// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../expression.hpp"

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

/// Functions that know a quicker way through consecutive positions than one by one: a static member
///
///     run(index1 first, std::size_t count, T* out, operands...)
///
/// computes what the function gives for the positions first to first + count, all in one row. The CPU's maps of such a
/// function and nothing else take it; checked calls and devices take the function itself. Operands are those that are
/// the same at every position. Exceptions may leave it. Of the library's own functions alone: what SKELRT_FN makes has
/// no members.
namespace skelrt::detail
{

template <class N>
inline constexpr bool has_own_loop = false;
template <class Function, class... Leaves>
    requires requires { &Function::run; }
inline constexpr bool has_own_loop<map_expression<Function, Leaves...>> = (leaf<Leaves> && ...);

template <class N>
struct own_loop;
template <class Function, class... Leaves>
struct own_loop<map_expression<Function, Leaves...>> {
    static_assert((!moves(Leaves::kind) && ...));

    template <class Reader, class T>
    static void run(const Reader& read, const position& first, std::size_t count, T* out)
    {
        run(read, first, count, out, std::index_sequence_for<Leaves...>{});
    }

private:
    template <class Reader, class T, std::size_t... K>
    static void run(const Reader& read, const position& first, std::size_t count, T* out, std::index_sequence<K...>)
    {
        Function::run(index_at<index_use::one>(first), count, out, read.template get<K>(0)...);
    }
};

} // namespace skelrt::detail
