// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>

/// Arithmetic of numbers as user functions have it: of C++'s types, in the order in which C++ converts to the larger.
/// Nothing where C++ would say nothing about the result: an integer that overflows, a division by zero.
namespace skelrt::detail::function_steps
{

using number = std::variant<int, unsigned, long, unsigned long, float, double>;

/// The alternative of a type.
enum class number_kind : std::size_t { int_, unsigned_, long_, unsigned_long, float_, double_ };

inline number_kind kind_of(const number& n) { return static_cast<number_kind>(n.index()); }

/// Of a type as compilers spell it: "unsigned long". Nothing: another type, or one that sums turn into int.
std::optional<number_kind> number_kind_of(std::string_view type);

/// Of "1.5f", "2u", "0x10".
std::optional<number> literal(std::string_view text);

/// The element of that type at an address.
number element_at(const void* at, number_kind kind);
std::size_t size_of(number_kind kind);

std::optional<number> converted(const number& n, number_kind to);

/// a op b: arithmetic, comparisons (1 or 0), && and ||.
std::optional<number> joined(const number& a, std::string_view op, const number& b);
std::optional<number> negated(const number& n);
bool is_true(const number& n);

/// As an index; nothing: it is no integer.
std::optional<std::ptrdiff_t> whole(const number& n);

} // namespace skelrt::detail::function_steps
