// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <functional>

namespace skelrt::detail::blas::cuda
{

/// A handle of cuBLAS with memory of its own: kernels of two streams may run at once.
struct handle {
    void* blas = nullptr;
    void* workspace = nullptr;
    std::size_t bytes = 0;
};

/// On the current device. Throws error.
handle make_handle();
void put_on(const handle& h, cudaStream_t stream);
/// On the current device; waits for what it does.
void end(const handle& h) noexcept;

/// A stream beside a task's own, for every other product of the task: each tile's is a kernel of its own and seldom
/// fills a GPU to its end; there the next one's first blocks run already. A third stream gains nothing more.
/// Lifetime: until end(), on one device, the current one. Used by the one thread that enqueues on the task's stream.
class side_stream
{
public:
    /// Makes it the first time; whether there was memory for it.
    bool is_there() noexcept;
    /// enqueue_one(k, blas) for k < count enqueues the product of a tile, or those of its planes, with that handle of
    /// cuBLAS; what comes next on `stream`, which `own` serves, comes behind all of them.
    void run(const handle& own, cudaStream_t stream, std::size_t count,
             const std::function<void(std::size_t, void*)>& enqueue_one) const;
    /// Waits for what it does.
    void end() noexcept;

private:
    void make();

    handle of_;
    cudaStream_t stream_ = nullptr;
    cudaEvent_t begun_ = nullptr, done_ = nullptr;
    bool refused_ = false;
};

} // namespace skelrt::detail::blas::cuda
