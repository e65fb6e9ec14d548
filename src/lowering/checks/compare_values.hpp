// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/recipe.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Whether a device's results are what the host's are, but for rounding: contraction (a * b + c in one), another libm,
/// another order of a sum. Pure: bytes and the names of their types.
namespace skelrt::detail
{

/// How the bytes of a value are to be read.
enum class value_form : std::uint8_t {
    signed_integer,
    unsigned_integer,
    half,
    single,
    twice, ///< double
    mixed, ///< a struct, an enumeration: words, which are compared as floating point where both look like it
};

/// A number in a value.
struct value_part {
    value_form form;
    std::uint32_t size, offset;
};

struct value_type {
    value_form form = value_form::mixed;
    std::uint32_t size = 0, align = 1;
    std::vector<value_part> parts{};      ///< of a mixed one, where all are known: nothing else is compared
    const unsigned char* bytes = nullptr; ///< slot_type::value_bytes: padding is not compared
};

/// Of a type by its C++ name.
value_type value_type_of(std::string_view name, std::uint32_t size, std::uint32_t align,
                         const unsigned char* bytes = nullptr);
inline value_type value_type_of(const slot_type& t) { return value_type_of(t.type, t.size, t.align, t.value_bytes); }

/// What is known of the numbers that a value was computed from.
struct origins {
    double magnitude = 0;                    ///< the largest of them; 0: not known
    value_form coarsest = value_form::twice; ///< of the forms of results on the way, the one that rounds most
};

/// Takes note of a result on the way.
void add_form(origins& from, const value_type& type);

/// Whether two values are the same but for rounding.
bool alike(const value_type& type, const std::byte* host, const std::byte* device, const origins& from = {});

/// Whether the device's value lies where the host's would if the operands were off by some units in their last place:
/// such functions tell nothing of what was rounded where. `others`: the host's results for operands that were. Never,
/// of a value that did not change.
bool explained(const value_type& type, const std::byte* host, const std::byte* device,
               std::span<const std::byte* const> others);

/// Moves the floating-point numbers of `count` values by some units in the last place; integers stay. Each pattern
/// moves another way. Returns whether there were any.
bool nudge(const value_type& type, std::byte* values, std::size_t count, unsigned pattern);
constexpr unsigned nudge_patterns = 8;

/// The largest absolute value among floating-point numbers; 0 of integers.
double magnitude_of(const value_type& type, const std::byte* values, std::size_t count);

/// For messages: "3", "0.25", "{1, 2.5}".
std::string value_text(const value_type& type, const std::byte* value);

} // namespace skelrt::detail
