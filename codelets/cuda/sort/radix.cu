// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/sort/radix.hpp"

#include <cub/device/device_radix_sort.cuh>

namespace skelrt::detail::cuda
{

template <class Word>
cudaError_t sort_words(radix_sort& what, std::size_t& half, cudaStream_t stream)
{
    cub::DoubleBuffer<Word> keys(static_cast<Word*>(what.keys[0]), static_cast<Word*>(what.keys[1]));
    cub::DoubleBuffer<unsigned> order(what.order[0], what.order[1]);
    cudaError_t result;
    if (what.order[0] != nullptr) { // their number fits into 32 bits
        const auto count = static_cast<unsigned>(what.count);
        result =
            cub::DeviceRadixSort::SortPairs(what.scratch, what.scratch_bytes, keys, order, count, 0, what.bits, stream);
    } else {
        result =
            cub::DeviceRadixSort::SortKeys(what.scratch, what.scratch_bytes, keys, what.count, 0, what.bits, stream);
    }
    half = static_cast<std::size_t>(keys.selector); // order goes along
    return result;
}

template cudaError_t sort_words<SKELRT_RADIX_WORD>(radix_sort&, std::size_t&, cudaStream_t);

} // namespace skelrt::detail::cuda
