// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/bench/shared/cuda_buffer.hpp"

namespace bench
{

/// Rivals that launch on a stream of their own.
template <class Entrant>
class cuda_entrant : public Entrant
{
public:
    cuda_entrant() { cuda_check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
    cuda_entrant(const cuda_entrant&) = delete;
    cuda_entrant& operator=(const cuda_entrant&) = delete;
    ~cuda_entrant() override { cudaStreamDestroy(stream_); }
    void wait() override { cuda_check(cudaStreamSynchronize(stream_)); }

protected:
    static void launched() { cuda_check(cudaGetLastError()); }
    cudaStream_t stream_ = nullptr;
};

constexpr unsigned blocks_for(std::size_t items, std::size_t of_a_block)
{
    return static_cast<unsigned>((items + of_a_block - 1) / of_a_block);
}

} // namespace bench
