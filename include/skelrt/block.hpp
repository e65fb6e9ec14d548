// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <type_traits>

namespace skelrt
{

/// What a task sees of a part of a container: rows x cols elements, a row `ld` elements behind the one before it. In
/// the memory of the device that runs the task: an implementation for CUDA gets a pointer to the GPU's memory. Of
/// vectors one row; of a column of a matrix cols() is 1. T is const where the task only reads.
///
/// Lifetime: that of the task. Copies see the same elements.
template <class T>
class block
{
public:
    using value_type = std::remove_const_t<T>;

    block() = default;
    block(T* data, std::size_t rows, std::size_t cols, std::size_t ld) noexcept
        : data_(data), rows_(rows), cols_(cols), ld_(ld)
    {
    }
    operator block<const T>() const noexcept requires(!std::is_const_v<T>) { return {data_, rows_, cols_, ld_}; }

    T* data() const noexcept { return data_; }
    std::size_t rows() const noexcept { return rows_; }
    std::size_t cols() const noexcept { return cols_; }
    /// From the start of a row to that of the next, in elements.
    std::size_t ld() const noexcept { return ld_; }
    std::size_t size() const noexcept { return rows_ * cols_; }
    bool empty() const noexcept { return size() == 0; }
    /// Of implementations for cores: element (row, col).
    T& operator()(std::size_t row, std::size_t col) const noexcept { return data_[row * ld_ + col]; }

private:
    T* data_ = nullptr;
    std::size_t rows_ = 0, cols_ = 0, ld_ = 0;
};

/// The same in the memory of an OpenCL device: elements lie in `memory()`, the first one `offset()` elements behind its
/// start.
template <class T>
class cl_block
{
public:
    using value_type = std::remove_const_t<T>;

    cl_block() = default;
    cl_block(void* memory, std::size_t offset, std::size_t rows, std::size_t cols, std::size_t ld) noexcept
        : memory_(memory), offset_(offset), rows_(rows), cols_(cols), ld_(ld)
    {
    }
    operator cl_block<const T>() const noexcept requires(!std::is_const_v<T>)
    {
        return {memory_, offset_, rows_, cols_, ld_};
    }

    /// A cl_mem.
    void* memory() const noexcept { return memory_; }
    std::size_t offset() const noexcept { return offset_; }
    std::size_t rows() const noexcept { return rows_; }
    std::size_t cols() const noexcept { return cols_; }
    std::size_t ld() const noexcept { return ld_; }
    std::size_t size() const noexcept { return rows_ * cols_; }
    bool empty() const noexcept { return size() == 0; }

private:
    void* memory_ = nullptr;
    std::size_t offset_ = 0, rows_ = 0, cols_ = 0, ld_ = 0;
};

/// The CUDA stream in which a task's implementation enqueues what it does; converts to cudaStream_t.
class cuda_stream
{
public:
    explicit cuda_stream(void* stream) noexcept : stream_(stream) {}
    template <class Stream>
        requires std::is_pointer_v<Stream>
    operator Stream() const noexcept { return static_cast<Stream>(stream_); }
    void* get() const noexcept { return stream_; }

private:
    void* stream_;
};

/// The OpenCL queue in which a task's implementation enqueues what it does, with its context and device.
class opencl_queue
{
public:
    opencl_queue(void* queue, void* context, void* device) noexcept : queue_(queue), context_(context), device_(device)
    {
    }
    /// A cl_command_queue, a cl_context, a cl_device_id.
    void* get() const noexcept { return queue_; }
    void* context() const noexcept { return context_; }
    void* device() const noexcept { return device_; }

private:
    void *queue_, *context_, *device_;
};

} // namespace skelrt
