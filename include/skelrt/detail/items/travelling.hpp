// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../type_text.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

/// Values on their way from rank to rank, as bytes: numbers and structs of such; strings, vectors, arrays, pairs,
/// tuples and optionals of what can travel. Both ends are the same program, so nothing says what comes.
namespace skelrt::detail
{

/// Its bytes are its value, on any rank. Of structs nobody knows whether a member is a pointer.
template <class T>
inline constexpr bool is_its_bytes =
    std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !std::is_member_pointer_v<T> && !std::ranges::view<T>;

/// How a type travels. Those that cannot have no write() and read().
template <class T>
struct travel {
    static std::string stays() { return is_its_bytes<T> ? "" : std::string(type_text<T>()); }
    static void write(const T& value, std::vector<std::byte>& to) requires is_its_bytes<T>
    {
        const auto* const bytes = reinterpret_cast<const std::byte*>(&value);
        to.insert(to.end(), bytes, bytes + sizeof(T));
    }
    static T read(std::span<const std::byte>& from) requires is_its_bytes<T>
    {
        alignas(T) std::byte bytes[sizeof(T)];
        std::copy_n(from.data(), sizeof(T), bytes);
        from = from.subspan(sizeof(T));
        return reinterpret_cast<T&&>(bytes);
    }
};

/// Of a type, or of the elements of one, that cannot travel; empty: all can.
template <class T>
std::string type_that_stays()
{
    return travel<T>::stays();
}
template <class T>
void write_value(const T& value, std::vector<std::byte>& to)
{
    if constexpr (requires { travel<T>::write(value, to); }) travel<T>::write(value, to);
}
/// Never of a type that cannot travel.
template <class T>
T read_value(std::span<const std::byte>& from)
{
    if constexpr (requires { travel<T>::read(from); }) return travel<T>::read(from);
    else __builtin_unreachable();
}

/// Of functions that give nothing.
template <>
struct travel<std::monostate> {
    static std::string stays() { return {}; }
    static void write(std::monostate, std::vector<std::byte>&) {}
    static std::monostate read(std::span<const std::byte>&) { return {}; }
};

/// A number of elements, and these.
template <class Sequence, class T>
struct travelling_sequence {
    static constexpr bool as_bytes = is_its_bytes<T> && requires(Sequence s)
    {
        {
            s.data()
            } -> std::same_as<T*>; // not of std::vector<bool>
    };

    static std::string stays() { return type_that_stays<T>(); }
    static void write(const Sequence& all, std::vector<std::byte>& to)
    {
        write_value(all.size(), to);
        if constexpr (as_bytes) {
            const auto* const bytes = reinterpret_cast<const std::byte*>(all.data());
            to.insert(to.end(), bytes, bytes + all.size() * sizeof(T));
        } else {
            for (const auto& value : all) write_value<T>(value, to);
        }
    }
    static Sequence read(std::span<const std::byte>& from)
    {
        const auto count = read_value<std::size_t>(from);
        Sequence all;
        if constexpr (as_bytes && std::is_default_constructible_v<T>) {
            all.resize(count);
            std::copy_n(from.data(), count * sizeof(T), reinterpret_cast<std::byte*>(all.data()));
            from = from.subspan(count * sizeof(T));
        } else {
            all.reserve(count);
            for (std::size_t k = 0; k < count; ++k) all.push_back(read_value<T>(from));
        }
        return all;
    }
};
template <class T, class A>
struct travel<std::vector<T, A>> : travelling_sequence<std::vector<T, A>, T> {
};
template <class C, class Traits, class A>
struct travel<std::basic_string<C, Traits, A>> : travelling_sequence<std::basic_string<C, Traits, A>, C> {
};

template <class T>
struct travel<std::optional<T>> {
    static std::string stays() { return type_that_stays<T>(); }
    static void write(const std::optional<T>& value, std::vector<std::byte>& to)
    {
        write_value(value.has_value(), to);
        if (value) write_value(*value, to);
    }
    static std::optional<T> read(std::span<const std::byte>& from)
    {
        if (!read_value<bool>(from)) return std::nullopt;
        return read_value<T>(from);
    }
};

/// One value after the other.
template <class Tuple, class... T>
struct travelling_tuple {
    static std::string stays()
    {
        std::string first;
        ((first = first.empty() ? type_that_stays<T>() : first), ...);
        return first;
    }
    static void write(const Tuple& all, [[maybe_unused]] std::vector<std::byte>& to)
    {
        std::apply([&](const T&... value) { (write_value(value, to), ...); }, all);
    }
    static Tuple read([[maybe_unused]] std::span<const std::byte>& from)
    {
        return Tuple{read_value<T>(from)...}; // in their order
    }
};
template <class... T>
struct travel<std::tuple<T...>> : travelling_tuple<std::tuple<T...>, T...> {
};
template <class A, class B>
struct travel<std::pair<A, B>> : travelling_tuple<std::pair<A, B>, A, B> {
};

template <class T, std::size_t N>
struct travel<std::array<T, N>> {
    static std::string stays() { return type_that_stays<T>(); }
    static void write(const std::array<T, N>& all, std::vector<std::byte>& to)
    {
        for (const T& value : all) write_value(value, to);
    }
    static std::array<T, N> read(std::span<const std::byte>& from) { return read(from, std::make_index_sequence<N>{}); }

private:
    template <std::size_t... I>
    static std::array<T, N> read([[maybe_unused]] std::span<const std::byte>& from, std::index_sequence<I...>)
    {
        return {(static_cast<void>(I), read_value<T>(from))...};
    }
};

} // namespace skelrt::detail
