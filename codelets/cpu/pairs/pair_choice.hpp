// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/work.hpp"

/// Whether a product, of matrices or of one and a vector, is OpenBLAS's or our own kernel's on cores.
namespace skelrt::detail::cpu
{

/// OpenBLAS does not know every processor, and our kernel is as wide as the vectors that the program was compiled for:
/// which is faster is measured once for each type of a program, beside its calls, once these take as long. Until that
/// is known, our kernel serves, unless the product takes longer than to wait. SKELRT_BLAS=1 measures nothing.
bool goes_to_blas(const work& w);

/// Before somebody asks how long the call takes: begins to open OpenBLAS and to measure, if it is a product and they
/// are worth it, and waits for that if this one is. Its recipe has to stay until end_measuring().
void prepare_product(const work& w);

/// Waits for what was begun.
void end_measuring() noexcept;

} // namespace skelrt::detail::cpu
