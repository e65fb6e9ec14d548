// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/cuda/cuda.hpp"

#include <catch2/catch.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

/// Buffers on the GPU, and calls over them.
namespace device
{

using namespace skelrt::detail;

inline void check(cudaError_t result)
{
    if (result != cudaSuccess) throw std::runtime_error(cudaGetErrorString(result));
}

inline bool available()
{
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

/// Values on the device between two guards; `shift` elements off the best alignment.
template <class T>
class buffer
{
public:
    explicit buffer(const std::vector<T>& values, std::size_t shift = 0) : size_(values.size()), shift_(shift)
    {
        check(cudaMalloc(reinterpret_cast<void**>(&memory_), bytes()));
        check(cudaMemset(memory_, guard_byte, bytes()));
        if (size_ > 0) check(cudaMemcpy(data(), values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    buffer(std::size_t size, T value, std::size_t shift = 0) : buffer(std::vector<T>(size, value), shift) {}
    buffer(const buffer&) = delete;
    buffer& operator=(const buffer&) = delete;
    ~buffer() { cudaFree(memory_); }

    T* data() const { return reinterpret_cast<T*>(memory_ + guard) + shift_; }

    /// Waits, and fails when something was written beside the values.
    std::vector<T> read() const
    {
        check(cudaDeviceSynchronize());
        std::vector<unsigned char> all(bytes());
        check(cudaMemcpy(all.data(), memory_, bytes(), cudaMemcpyDeviceToHost));
        const std::size_t first = guard + shift_ * sizeof(T), last = first + size_ * sizeof(T);
        bool clean = true;
        for (std::size_t i = 0; i < all.size(); ++i)
            if (i < first || i >= last) clean = clean && all[i] == guard_byte;
        CHECK(clean);
        const T* values = reinterpret_cast<const T*>(all.data() + first);
        return std::vector<T>(values, values + size_);
    }

private:
    static constexpr std::size_t guard = 1024;
    static constexpr unsigned char guard_byte = 0xa5;
    std::size_t bytes() const { return (size_ + shift_) * sizeof(T) + 2 * guard; }

    std::size_t size_, shift_;
    unsigned char* memory_ = nullptr;
};

inline slot_view flat(const void* data, std::size_t count) { return {const_cast<void*>(data), 0, 1, count, count, 1}; }

inline slot_view matrix(const void* data, std::size_t rows, std::size_t cols, std::size_t ld, std::size_t stride = 1)
{
    return {const_cast<void*>(data), 0, rows, cols, ld, stride};
}

/// A piece of work under construction.
class call
{
public:
    call(const recipe& what, std::size_t width, bool matrix = false) : what_(what), width_(width), matrix_(matrix) {}

    call& add(segment where, std::initializer_list<slot_view> slots)
    {
        segments_.push_back(where);
        slots_.insert(slots_.end(), slots);
        return *this;
    }
    call& start(const void* value)
    {
        start_ = value;
        return *this;
    }

    call& block(unsigned threads)
    {
        block_ = threads;
        return *this;
    }

    void run(void* result = nullptr, cudaStream_t stream = nullptr) const
    {
        std::size_t elements = 0;
        for (const segment& s : segments_) elements += s.rows * s.cols;
        const std::size_t scratch = cuda::scratch_bytes(what_, elements, width_, block_);
        const buffer<unsigned char> memory(scratch, 0);
        work w{what_, matrix_, width_, segments_, slots_, {}, start_, {}};
        w.result.data = result;
        w.scratch = flat(memory.data(), scratch);
        w.block = block_;
        cuda::launch(w, stream);
        memory.read(); // checks its guards
    }

private:
    const recipe& what_;
    std::size_t width_;
    bool matrix_;
    std::vector<segment> segments_;
    std::vector<slot_view> slots_;
    const void* start_ = nullptr;
    unsigned block_ = 0;
};

} // namespace device
