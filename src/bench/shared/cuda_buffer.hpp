// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/bench/shared/cuda_check.hpp"

#include <cstddef>
#include <vector>

namespace bench
{

/// Memory of the device, cleared. What is done with it here is done when it returns, whatever stream comes next.
template <class T>
class cuda_buffer
{
public:
    explicit cuda_buffer(std::size_t n) : n_(n)
    {
        cuda_check(cudaMalloc(&data_, n * sizeof(T)));
        clear();
    }
    explicit cuda_buffer(const std::vector<T>& from) : cuda_buffer(from.size()) { write(from); }
    cuda_buffer(const cuda_buffer&) = delete;
    cuda_buffer& operator=(const cuda_buffer&) = delete;
    ~cuda_buffer() { cudaFree(data_); }

    void clear()
    {
        cuda_check(cudaMemset(data_, 0, n_ * sizeof(T)));
        cuda_check(cudaDeviceSynchronize());
    }
    T* data() const { return data_; }
    std::size_t size() const { return n_; }
    std::vector<T> read() const
    {
        std::vector<T> to(n_);
        cuda_check(cudaMemcpy(to.data(), data_, n_ * sizeof(T), cudaMemcpyDeviceToHost));
        return to;
    }
    void write(const std::vector<T>& from)
    {
        cuda_check(cudaMemcpy(data_, from.data(), n_ * sizeof(T), cudaMemcpyHostToDevice));
        cuda_check(cudaDeviceSynchronize());
    }

private:
    std::size_t n_;
    T* data_ = nullptr;
};

} // namespace bench
