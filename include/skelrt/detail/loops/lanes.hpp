// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

/// Registers of several numbers, as compilers know them.
namespace skelrt::detail
{

/// Operators that do the same to every element of a compiler's vector as to one number.
template <class Op>
inline constexpr bool is_lane_wise = false;

/// A register's numbers; at any address.
#if defined(__AVX__)
inline constexpr std::size_t lane_bytes = 32;
#else
inline constexpr std::size_t lane_bytes = 16;
#endif
template <class T>
struct lanes {
    using type [[gnu::vector_size(lane_bytes), gnu::aligned(alignof(T)), gnu::may_alias]] = T;
    static constexpr std::size_t count = lane_bytes / sizeof(T);
};

} // namespace skelrt::detail
