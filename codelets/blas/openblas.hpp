// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/blas/gemm.hpp"
#include "codelets/blas/library.hpp"

/// Products on cores. Each core of the team calls OpenBLAS for a rectangle of the result; OpenBLAS's threads rest.
namespace skelrt::detail::blas::cores
{

/// Whether calls like this one are products, of a matrix and another or a vector, that OpenBLAS knows, and SKELRT_BLAS
/// wants it. Opens nothing.
bool is_product(const recipe& what);

/// Whether OpenBLAS is there and does calls like this one: not those of short numbers, which our kernel multiplies as
/// floats. Opens the library the first time: some ten milliseconds.
bool knows(const recipe& what);

/// Whether the call is large enough for OpenBLAS, and one that it does if it is there. Opens nothing.
bool suits(const work& w);

/// Whether it does the call, which is large enough for it.
bool multiplies(const work& w);

/// The rectangle of the result, after multiplies() said so; false: it lies as OpenBLAS cannot read or write it.
bool multiply(const work& w, std::size_t segment, const result_block& r);

/// to = front + a block's product with the vector, after multiplies() said so of a call of which it is a part: `start`
/// or nothing in front, or what is there if `begun`. False: as multiply().
bool multiply_vector(const recipe& what, const cpu_block& all, const void* start, bool begun, void* to);

/// Whether it does the products of the planes, see plane_product.hpp, which are large enough for it.
bool multiplies_planes(const work& w);

/// Rows first .. last of the call's, which are those of all planes in turn. After multiplies_planes() said so.
void multiply_planes(const work& w, std::size_t first, std::size_t last);

/// Opens it.
found_library find_library();

} // namespace skelrt::detail::blas::cores
