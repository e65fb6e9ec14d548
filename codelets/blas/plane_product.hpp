// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/blas/gemm.hpp"

#include <optional>

/// Calls of sk::batched_product: a map whose rows are the planes of flat tensors. Pure.
namespace skelrt::detail::blas
{

/// Of what numbers a call is the products of planes. Nothing: it is no such call.
std::optional<numbers> plane_product_of(const recipe& what);

/// How the planes of such a call look: each `rows` of a result of `cols` columns.
struct plane_sizes {
    std::size_t rows, cols, depth;
};
plane_sizes plane_sizes_of(const work& w);

/// Some rows of the product of one plane of a segment. Nothing: BLAS cannot read what lies so, or it is too deep.
std::optional<gemm> gemm_of_plane(const work& w, std::size_t segment, std::size_t plane, std::size_t row,
                                  std::size_t rows);

} // namespace skelrt::detail::blas
