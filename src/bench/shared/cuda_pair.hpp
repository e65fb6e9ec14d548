// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/bench/shared/cuda_check.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace bench
{

/// Rivals that make n floats of n others on the GPU, and need memory besides; they launch on `stream_`.
template <class Entrant>
class cuda_pair : public Entrant
{
public:
    template <class Value>
    cuda_pair(std::size_t n, Value value) : n_(n)
    {
        cuda_check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        for (float** p : {&x_, &y_}) cuda_check(cudaMalloc(p, n * sizeof(float)));
        std::vector<float> x(n);
        for (std::size_t i = 0; i < n; ++i) x[i] = value(i);
        cuda_check(cudaMemcpy(x_, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    }
    ~cuda_pair() override
    {
        for (void* p : {static_cast<void*>(x_), static_cast<void*>(y_), scratch_}) cudaFree(p);
        cudaStreamDestroy(stream_);
    }
    void wait() override { cuda_check(cudaStreamSynchronize(stream_)); }
    void look(const std::function<void(const float*)>& see) override
    {
        std::vector<float> copy(n_);
        cuda_check(cudaMemcpy(copy.data(), y_, n_ * sizeof(float), cudaMemcpyDeviceToHost));
        see(copy.data());
    }

protected:
    std::size_t n_, scratch_bytes_ = 0;
    cudaStream_t stream_ = nullptr;
    float *x_ = nullptr, *y_ = nullptr;
    void* scratch_ = nullptr;
};

} // namespace bench
