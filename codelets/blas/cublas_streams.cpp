// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/blas/cublas_streams.hpp"

#include "codelets/blas/cublas_calls.hpp"
#include "src/jit/current_device.hpp"
#include "src/runtime/log.hpp"

#include <skelrt/error.hpp>

#include <cuda_runtime_api.h>

#include <exception>

namespace skelrt::detail::blas::cuda
{
namespace
{

/// What cuBLAS's own documentation says that it makes use of.
std::size_t workspace_bytes(int device)
{
    int major = 0;
    check_cuda(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "no compute capability");
    return std::size_t{major >= 9 ? 32u : 8u} << 20;
}

/// What `later` gets from now on waits for what `earlier` has got.
void wait_for(cudaStream_t earlier, cudaEvent_t point, cudaStream_t later)
{
    check_cuda(cudaEventRecord(point, earlier), "no point in a stream");
    check_cuda(cudaStreamWaitEvent(later, point, 0), "no wait for a stream");
}

} // namespace

handle make_handle()
{
    handle h;
    h.bytes = workspace_bytes(device_now());
    check_cuda(cudaMalloc(&h.workspace, h.bytes), "no memory for cuBLAS");
    try {
        h.blas = create_handle();
    } catch (...) {
        cudaFree(h.workspace);
        throw;
    }
    return h;
}

void put_on(const handle& h, cudaStream_t stream)
{
    set_stream(h.blas, stream);
    set_workspace(h.blas, h.workspace, h.bytes);
}

void end(const handle& h) noexcept
{
    destroy_handle(h.blas);
    cudaFree(h.workspace);
}

bool side_stream::is_there() noexcept
{
    if (of_.blas || refused_) return !refused_;
    try {
        make();
    } catch (const error& e) {
        refused_ = true;
        log_debug("products of tiles run one after the other: {}", e.what());
    }
    return !refused_;
}

void side_stream::make()
try {
    check_cuda(cudaEventCreateWithFlags(&begun_, cudaEventDisableTiming), "no event");
    check_cuda(cudaEventCreateWithFlags(&done_, cudaEventDisableTiming), "no event");
    check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "no stream");
    of_ = make_handle();
    put_on(of_, stream_);
} catch (...) {
    end();
    throw;
}

void side_stream::run(const handle& own, cudaStream_t stream, std::size_t count,
                      const std::function<void(std::size_t, void*)>& enqueue_one) const
{
    wait_for(stream, begun_, stream_);
    std::exception_ptr fault;
    try {
        for (std::size_t i = 0; i < count; ++i) enqueue_one(i, i % 2 == 0 ? own.blas : of_.blas);
    } catch (...) {
        fault = std::current_exception();
    }
    wait_for(stream_, done_, stream); // whatever it has begun
    if (fault) std::rethrow_exception(fault);
}

void side_stream::end() noexcept
{
    if (of_.blas) cuda::end(of_);
    for (cudaEvent_t e : {begun_, done_})
        if (e) cudaEventDestroy(e);
    if (stream_) cudaStreamDestroy(stream_);
    of_ = {};
    stream_ = nullptr;
    begun_ = done_ = nullptr;
}

} // namespace skelrt::detail::blas::cuda
