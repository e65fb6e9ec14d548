// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

/// Which bytes of a value hold it, and which are padding: padding is written by nobody, so two equal values may differ
/// there.
namespace skelrt::detail
{

/// One byte of T each: 0 where it is padding.
template <class T>
using byte_mask = std::array<unsigned char, sizeof(T)>;

#if defined(__has_builtin) && __has_builtin(__builtin_clear_padding)

template <class T>
byte_mask<T> mask_of()
{
    alignas(T) byte_mask<T> mask;
    mask.fill(0xff);
    __builtin_clear_padding(reinterpret_cast<T*>(mask.data()));
    return mask;
}

#else

/// What stands in padding is no constant.
template <class T, std::size_t I>
concept constant_byte = requires
{
    typename std::integral_constant<unsigned char, __builtin_bit_cast(byte_mask<T>, T{})[I]>;
};

template <class T>
byte_mask<T> mask_of()
{
    byte_mask<T> mask = []<std::size_t... I>(std::index_sequence<I...>)
    {
        return byte_mask<T>{static_cast<unsigned char>(constant_byte<T, I> ? 0xff : 0)...};
    }
    (std::make_index_sequence<sizeof(T)>{});
    if (mask == byte_mask<T>{}) mask.fill(0xff); // T{} itself is no constant: nothing is known
    return mask;
}

#endif

/// The mask of T, for as long as the program lives; null: no padding.
template <class T>
const unsigned char* value_bytes()
{
    if constexpr (std::is_arithmetic_v<T> || std::has_unique_object_representations_v<T>) return nullptr;
    else {
        static const byte_mask<T> mask = mask_of<T>();
        return mask.data();
    }
}

} // namespace skelrt::detail
