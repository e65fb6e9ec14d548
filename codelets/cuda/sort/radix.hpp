// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include <driver_types.h>

/// cub::DeviceRadixSort, compiled by nvcc when skelrt is built: it takes no user function. radix.cu is compiled for
/// 32-bit and for 64-bit words, whose order is that of the keys.
namespace skelrt::detail::cuda
{

/// Sorts go from the first of two arrays to either; enqueues.
struct radix_sort {
    void* keys[2];
    unsigned* order[2]; ///< sorted along; null: keys only
    std::size_t count;
    int bits; ///< of the keys that may differ, from the lowest
    void* scratch;
    std::size_t scratch_bytes;
};

/// Returns in which arrays the result will be. Null scratch: sets scratch_bytes for the current device, and no more.
template <class Word>
cudaError_t sort_words(radix_sort& what, std::size_t& half, cudaStream_t stream);

extern template cudaError_t sort_words<unsigned>(radix_sort&, std::size_t&, cudaStream_t);
extern template cudaError_t sort_words<unsigned long long>(radix_sort&, std::size_t&, cudaStream_t);

} // namespace skelrt::detail::cuda
