// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/blas/numbers.hpp"

#include <optional>
#include <string_view>

/// Which calls a BLAS can compute. Pure.
namespace skelrt::detail::blas
{

/// Of what numbers products with such sides and results are, by their C++ names.
std::optional<numbers> numbers_of(std::string_view side, std::string_view result);

/// Of what numbers a call is the product of two matrices: sk::all_pairs of sk::multiplies and sk::plus, or of functions
/// whose text is theirs but for names, on sides that are read as they are. Nothing: it is no such call.
std::optional<numbers> plain_product_of(const recipe& what);

/// The same of a matrix and a vector: sk::reduce of sk::plus, by row of sk::multiplies of a matrix and of a vector's
/// element for each column, or by column and of one for each row.
std::optional<numbers> vector_product_of(const recipe& what);

/// Of either kind.
std::optional<numbers> product_of(const recipe& what);

} // namespace skelrt::detail::blas
