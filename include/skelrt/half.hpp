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

/// A number of half precision (IEEE 754 binary16: 11 bits of precision, up to 65504), to be stored in containers and
/// structs, the same on every device and under every host compiler.
///
/// It is stored in two bytes and computed with in float: in arithmetic and comparisons a half counts as the float of
/// its value, so h + h is a float, and only storing rounds (to nearest, ties to even; what is too large becomes
/// infinite). Hence sk::reduce(sk::plus) of halves sums in float and gives a float, sk::minimum gives a half. A double
/// is rounded to float first.
/// Cost: a conversion at each read and write, in hardware on GPUs and in cores that are compiled for F16C.
class half
{
public:
    half() = default; ///< without a value, like a float
    constexpr half(float x) : bits_(rounded(x)) {}

    constexpr operator float() const { return widened(bits_); }

    constexpr half& operator+=(float x) { return *this = half(*this + x); }
    constexpr half& operator-=(float x) { return *this = half(*this - x); }
    constexpr half& operator*=(float x) { return *this = half(*this * x); }
    constexpr half& operator/=(float x) { return *this = half(*this / x); }

    /// The number of these bits, and the bits of this number.
    static constexpr half from_bits(std::uint16_t bits)
    {
        half h{};
        h.bits_ = bits;
        return h;
    }
    constexpr std::uint16_t bits() const { return bits_; }

private:
    // Without branches, so that loops over halves become vector code.
    static constexpr float widened(std::uint16_t half)
    {
        const std::uint32_t sign = (half & 0x8000u) << 16, size = (half & 0x7fffu) << 13;
        const std::uint32_t exponent = size & 0x0f800000u;
        const float tiny = std::bit_cast<float>(size + 0x38800000u) - 0x1p-14f; // a subnormal half is a normal float
        const std::uint32_t normal = size + (exponent == 0x0f800000u ? 0x70000000u : 0x38000000u);
        return std::bit_cast<float>(sign | (exponent == 0 ? std::bit_cast<std::uint32_t>(tiny) : normal));
    }

    static constexpr std::uint16_t rounded(float x)
    {
        const auto bits = std::bit_cast<std::uint32_t>(x);
        const std::uint32_t size = bits & 0x7fffffffu;
        // Adding 0.5 leaves a subnormal half's bits at the end of the float, rounded as the addition rounds.
        const std::uint32_t tiny = std::bit_cast<std::uint32_t>(std::bit_cast<float>(size) + 0.5f) - 0x3f000000u;
        const std::uint32_t normal = (size - 0x38000000u + 0xfffu + (size >> 13 & 1u)) >> 13;
        const std::uint32_t large = size > 0x7f800000u ? 0x7e00u : 0x7c00u;
        const std::uint32_t half = size >= 0x47800000u ? large : size < 0x38800000u ? tiny : normal;
        return static_cast<std::uint16_t>(half | (bits >> 16 & 0x8000u));
    }

    std::uint16_t bits_;
};

static_assert(sizeof(half) == 2 && std::is_trivially_copyable_v<half>);

namespace detail
{
template <>
constexpr std::string_view type_text<half>()
{
    return "sk::half";
}
template <>
inline constexpr bool counts_as_float<half> = true;
} // namespace detail

} // namespace skelrt

template <>
class std::numeric_limits<skelrt::half>
{
public:
    static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
    static constexpr bool has_infinity = true, has_quiet_NaN = true, is_iec559 = true, is_bounded = true;
    static constexpr int digits = 11, digits10 = 3, max_digits10 = 5, radix = 2;
    static constexpr int min_exponent = -13, max_exponent = 16, min_exponent10 = -4, max_exponent10 = 4;
    static constexpr skelrt::half min() noexcept { return skelrt::half::from_bits(0x0400); }
    static constexpr skelrt::half max() noexcept { return skelrt::half::from_bits(0x7bff); }
    static constexpr skelrt::half lowest() noexcept { return skelrt::half::from_bits(0xfbff); }
    static constexpr skelrt::half epsilon() noexcept { return skelrt::half::from_bits(0x1400); }
    static constexpr skelrt::half infinity() noexcept { return skelrt::half::from_bits(0x7c00); }
    static constexpr skelrt::half quiet_NaN() noexcept { return skelrt::half::from_bits(0x7e00); }
    static constexpr skelrt::half denorm_min() noexcept { return skelrt::half::from_bits(0x0001); }
};
