// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/cuda/sort/radix.hpp"

#include <skelrt/detail/recipe.hpp>

#include <cstddef>
#include <string>

/// Numbers as words whose order is theirs.
namespace skelrt::detail::cuda
{

/// Bytes of the words that stand for the keys of a sort; 0: their order is not that of numbers, skelrt was built
/// without nvcc, a GPU is too old, or a plan sets the threads of a block: CUB has its own.
std::size_t radix_word_size(const recipe& what, unsigned block = 0);

/// sort_key, its type, and key_of(value) and value_of(key), from and to result_type.
std::string radix_text(const recipe& what);

/// Scratch that CUB wants, for the current device.
std::size_t radix_scratch(const recipe& what, std::size_t count);

/// Returns which half of its memory has the result.
std::size_t sort_by_radix(const recipe& what, radix_sort sort, cudaStream_t stream);

} // namespace skelrt::detail::cuda
