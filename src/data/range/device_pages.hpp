// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/range/page_source.hpp"

#include <memory>

namespace skelrt::detail
{

/// The pages of a memory node, counted in StarPU's account of its memory. Null: it has none; CUDA devices do, and not
/// all of them.
std::unique_ptr<page_source> pages_of(unsigned node);

/// Their size; 0: it has none.
std::size_t page_bytes_of(unsigned node) noexcept;

} // namespace skelrt::detail
