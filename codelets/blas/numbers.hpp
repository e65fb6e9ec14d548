// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/recipe.hpp>

#include <complex>
#include <cstdint>

namespace skelrt::detail::blas
{

/// What the sides of a product hold. Halves and bfloat16s are added up as floats, and give floats; the others give what
/// they are.
enum class numbers : std::uint8_t { floats, doubles, complex_floats, complex_doubles, halves, bfloat16s };

constexpr bool are_short(numbers n) { return n == numbers::halves || n == numbers::bfloat16s; }
constexpr bool are_complex(numbers n) { return n == numbers::complex_floats || n == numbers::complex_doubles; }

/// f(one): with a one of the type that such a product gives.
template <class F>
decltype(auto) with_one(numbers n, F f)
{
    switch (n) {
    case numbers::doubles:
        return f(1.0);
    case numbers::complex_floats:
        return f(std::complex<float>(1));
    case numbers::complex_doubles:
        return f(std::complex<double>(1));
    default:
        return f(1.0f);
    }
}

} // namespace skelrt::detail::blas
