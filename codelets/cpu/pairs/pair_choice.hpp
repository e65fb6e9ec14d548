// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/work.hpp"

/// Whether a product of matrices is OpenBLAS's or our own kernel's on cores.
namespace skelrt::detail::cpu
{

/// OpenBLAS does not know every processor, and our kernel is as wide as the vectors that the program was compiled for:
/// which is faster is measured once for each type of a program, in some milliseconds. SKELRT_BLAS=1 measures nothing.
bool goes_to_blas(const work& w);

/// Opens OpenBLAS and measures, if the call is a product, before somebody asks how long it takes.
void prepare_pairs(const recipe& what);

} // namespace skelrt::detail::cpu
