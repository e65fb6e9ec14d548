// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/recipe.hpp>

#include <cstddef>
#include <optional>

/// Products of sparse matrices within maps: sums over the entries of a row, which backends make in ways of their own.
/// Pure.
namespace skelrt::detail
{

/// A map's only call of sk::csr's functions, and its operands' slots.
struct row_sum {
    std::size_t call;
    std::size_t row_begin, column, value, x;
    bool matrix; ///< x is one, and so is the call; else positions are rows of the sparse matrix
};

/// Nothing: the call is no map, or there is none or more than one in it. Other functions may come before and behind.
/// Sums of bool are none, for they are no numbers on all devices, nor are those of complex numbers, which OpenCL C has
/// no operators for.
std::optional<row_sum> row_sum_of(const recipe& what);

} // namespace skelrt::detail
