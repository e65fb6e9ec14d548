// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace skelrt::detail
{

/// Merged elements from one place to the next at which sk::merge knows where its path crosses. The GPUs' kernels know it
/// as well (codelets/cuda/sort/merge.cpp).
inline constexpr std::size_t merge_step = 2048;

} // namespace skelrt::detail
