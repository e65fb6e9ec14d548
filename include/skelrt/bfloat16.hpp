// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/loops/short_numbers.hpp"
#include "detail/type_text.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace skelrt
{

/// The upper half of a float (8 bits of precision, a float's range), to be stored in containers and structs, the same
/// on every device and under every host compiler.
///
/// All that sk::half's page says holds: it is stored in two bytes and counts as the float of its value; only storing
/// rounds (to nearest, ties to even). Hence sk::reduce(sk::plus) sums in float and gives a float, and so does a product
/// of matrices. A double is rounded to float first.
/// Cost: a shift at each read, a few integer operations at each write.
class bfloat16
{
public:
    bfloat16() = default; ///< without a value, like a float
    constexpr bfloat16(float x) : bits_(rounded(x)) {}

    constexpr operator float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits_) << 16); }

    constexpr bfloat16& operator+=(float x) { return *this = bfloat16(*this + x); }
    constexpr bfloat16& operator-=(float x) { return *this = bfloat16(*this - x); }
    constexpr bfloat16& operator*=(float x) { return *this = bfloat16(*this * x); }
    constexpr bfloat16& operator/=(float x) { return *this = bfloat16(*this / x); }

    /// The number of these bits, and the bits of this number.
    static constexpr bfloat16 from_bits(std::uint16_t bits)
    {
        bfloat16 b{};
        b.bits_ = bits;
        return b;
    }
    constexpr std::uint16_t bits() const { return bits_; }

private:
    // Without branches, so that loops become vector code. What is no number stays none, and quiet.
    static constexpr std::uint16_t rounded(float x)
    {
        const auto bits = std::bit_cast<std::uint32_t>(x);
        const std::uint32_t nearest = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
        const std::uint32_t none = bits >> 16 | 0x40u;
        return static_cast<std::uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? none : nearest);
    }

    std::uint16_t bits_;
};

static_assert(sizeof(bfloat16) == 2 && std::is_trivially_copyable_v<bfloat16>);

namespace detail
{
template <>
constexpr std::string_view type_text<bfloat16>()
{
    return "sk::bfloat16";
}
template <>
inline constexpr bool counts_as_float<bfloat16> = true;
} // namespace detail

} // namespace skelrt

template <>
class std::numeric_limits<skelrt::bfloat16>
{
public:
    static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
    static constexpr bool has_infinity = true, has_quiet_NaN = true, is_iec559 = true, is_bounded = true;
    static constexpr int digits = 8, digits10 = 2, max_digits10 = 4, radix = 2;
    static constexpr int min_exponent = -125, max_exponent = 128, min_exponent10 = -37, max_exponent10 = 38;
    static constexpr skelrt::bfloat16 min() noexcept { return skelrt::bfloat16::from_bits(0x0080); }
    static constexpr skelrt::bfloat16 max() noexcept { return skelrt::bfloat16::from_bits(0x7f7f); }
    static constexpr skelrt::bfloat16 lowest() noexcept { return skelrt::bfloat16::from_bits(0xff7f); }
    static constexpr skelrt::bfloat16 epsilon() noexcept { return skelrt::bfloat16::from_bits(0x3c00); }
    static constexpr skelrt::bfloat16 infinity() noexcept { return skelrt::bfloat16::from_bits(0x7f80); }
    static constexpr skelrt::bfloat16 quiet_NaN() noexcept { return skelrt::bfloat16::from_bits(0x7fc0); }
    static constexpr skelrt::bfloat16 denorm_min() noexcept { return skelrt::bfloat16::from_bits(0x0001); }
};
