// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/recipe.hpp>

#include <cstdint>

/// An index that asked for what is not there, as every backend writes it down: the first that is found, and no other.
namespace skelrt::detail
{

/// Kernels have the same struct in their texts: 64-bit words, in this order.
struct index_fault {
    std::uint64_t found; ///< 0: there is none
    std::uint64_t slot;  ///< the operand
    std::int64_t
        index[3]; ///< as many as the operand has axes; of a hood: planes, rows, columns, those of its rank last
    std::uint64_t size[2];  ///< of a vec or an accumulator the first; rows and columns of a mat
    std::uint64_t row, col; ///< the position in the call for which the function was called
    std::uint64_t width;    ///< columns of the call
};

/// Whether the kernels of a call look at the indices that its functions make: SKELRT_CHECK=bounds.
bool checks_indices(const recipe& what);

/// SKELRT_CHECK=bounds: what lies behind that many elements of an sk::out_vec, to tell a second writer; else nothing.
std::size_t writer_bytes_of(const recipe& what, std::size_t elements);

/// Throws bounds_error, which names the function, the index, the size and the position.
[[noreturn]] void throw_index_fault(const recipe& what, const index_fault& fault);

} // namespace skelrt::detail
