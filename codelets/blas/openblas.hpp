#pragma once

#include "codelets/blas/gemm.hpp"
#include "codelets/blas/library.hpp"

/// Products on cores. Each core of the team calls OpenBLAS for its own rectangle of the result; OpenBLAS's threads rest.
namespace skelrt::detail::blas::cores
{

/// Whether OpenBLAS does a call, and faster than our kernel. Opens the library the first time: some ten milliseconds.
bool multiplies(const work& w);

/// Opens the library if the call is a product, before somebody measures how long it takes.
void prepare(const recipe& what);

/// The rectangle of the result, after multiplies() said so; false: it lies as OpenBLAS cannot read or write it.
bool multiply(const work& w, std::size_t segment, const result_block& r);

/// Opens it.
found_library find_library();

} // namespace skelrt::detail::blas::cores
