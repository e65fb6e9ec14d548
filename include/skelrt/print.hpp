// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/splice.hpp"
#include "host.hpp"

#include <array>
#include <cstddef>
#include <iosfwd>
#include <string_view>
#include <type_traits>
#include <vector>

namespace skelrt
{

namespace detail
{

/// Elements that follow each other with the same distance in a storage.
struct shown_run {
    std::size_t offset, count, stride;
};
/// Those that are printed: of an axis of many, its ends.
SKELRT_API std::vector<shown_run> shown_runs(const extent& x, const placement& p);
using print_element = void (*)(std::ostream&, const void*);
/// `elements`: those of shown_runs(), one after the other.
SKELRT_API void print(std::ostream& to, std::string_view type, const extent& x, const void* elements,
                      std::size_t element_size, print_element element);
/// For structs that have no << of their own.
SKELRT_API void print_bytes(std::ostream& to, std::size_t count);

template <class T>
inline constexpr bool is_std_array = false;
template <class T, std::size_t N>
inline constexpr bool is_std_array<std::array<T, N>> = true;

template <class T>
void print_one(std::ostream& to, const T& x)
{
    if constexpr (std::is_integral_v<T> && sizeof(T) == 1 && !std::is_same_v<T, bool>) {
        to << static_cast<int>(x); // a number, no letter
    } else if constexpr (is_std_array<T>) {
        to << '(';
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (i > 0) to << ", ";
            print_one(to, x[i]);
        }
        to << ')';
    } else if constexpr (requires { to << x; }) {
        to << x;
    } else {
        print_bytes(to, sizeof(T));
    }
}

template <class X>
concept printable = own_container<X> && requires
{
    typename X::value_type;
};

} // namespace detail

/// Prints a container or a view: its type and shape, and of each axis all positions, or the first three and the last
/// three.
///
///     vector<float>(1000) [0, 1, 2, ..., 997, 998, 999]
///
/// Elements are printed by their own <<, numbers of one byte as numbers, std::array as (a, b). Waits for the elements
/// that are shown, and only these come to the host. With several ranks all print. For fmt: fmt::streamed(x).
/// Errors: those of calls that should have written the elements; nothing is printed then.
template <detail::printable X>
std::ostream& operator<<(std::ostream& to, const X& x)
{
    using T = typename X::value_type;
    const detail::placement p = x.place();
    const detail::extent shape = detail::extent_of(X::rank, p);
    const std::vector<detail::shown_run> runs = detail::shown_runs(shape, p);
    std::size_t count = 0;
    for (const detail::shown_run& r : runs) count += r.count;
    vector<T> shown(count, uninitialized);
    std::size_t at = 0;
    for (const detail::shown_run& r : runs) {
        detail::put_run(shown, at, view1<T>(x.storage(), r.offset, r.count, r.stride));
        at += r.count;
    }
    const auto h = host_read(shown);
    detail::print(to, detail::type_text<T>(), shape, h.data(), sizeof(T), [](std::ostream& out, const void* element) {
        detail::print_one(out, *static_cast<const T*>(element));
    });
    return to;
}

} // namespace skelrt
