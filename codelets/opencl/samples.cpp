// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/opencl/samples.hpp"

#include "codelets/opencl/opencl.hpp"

#include "src/jit/opencl.hpp"

#include <algorithm>
#include <map>
#include <mutex>

namespace skelrt::detail::opencl
{
namespace
{

constexpr std::size_t usual_bytes = std::size_t{512} << 10;

struct context_memory {
    cl_mem data = nullptr;
    std::size_t bytes = 0;
};

std::mutex guard;

std::map<cl_context, context_memory>& all()
{
    static auto& memory = *new std::map<cl_context, context_memory>;
    return memory;
}

} // namespace

cl_mem sample_memory(cl_context context, std::size_t bytes)
{
    const std::scoped_lock lock(guard);
    context_memory& m = all()[context];
    if (m.bytes < bytes) {
        if (m.data != nullptr) clReleaseMemObject(m.data); // kernels that use it keep it
        m = {};
        cl_int failed = CL_SUCCESS;
        const std::size_t wanted = std::max(bytes, usual_bytes);
        m.data = clCreateBuffer(context, CL_MEM_READ_WRITE, wanted, nullptr, &failed);
        check(failed, "clCreateBuffer", "memory for samples");
        m.bytes = wanted;
    }
    return m.data;
}

void release_samples() noexcept
{
    const std::scoped_lock lock(guard);
    for (auto& [context, m] : all())
        if (m.data != nullptr) clReleaseMemObject(m.data);
    all().clear();
}

void copy_rows(cl_mem to, std::size_t to_offset, cl_mem from, std::size_t from_offset, std::size_t row_bytes,
               std::size_t rows, std::size_t pitch, cl_command_queue queue)
{
    if (rows == 0 || row_bytes == 0) return;
    std::size_t done = 0;
    // As a rectangle, if neither its rows nor its target reach over the end of a pitch; but for the last row, behind
    // which NVIDIA's driver wants the rest of a pitch to be there.
    if (rows > 2 && from_offset % pitch + row_bytes <= pitch && to_offset % row_bytes == 0) {
        done = rows - 1;
        const std::size_t source[] = {from_offset % pitch, from_offset / pitch, 0};
        const std::size_t region[] = {row_bytes, done, 1};
        const std::size_t target[] = {0, to_offset / row_bytes, 0};
        check(clEnqueueCopyBufferRect(queue, from, to, source, target, region, pitch, 0, row_bytes, 0, 0, nullptr,
                                      nullptr),
              "clEnqueueCopyBufferRect", "a copy on the device");
    }
    for (; done < rows; ++done)
        copy(to, to_offset + done * row_bytes, from, from_offset + done * pitch, row_bytes, queue);
}

void read_and_wait(void* to, cl_mem from, std::size_t from_offset, std::size_t bytes, cl_command_queue queue)
{
    if (bytes == 0) return;
    check(clEnqueueReadBuffer(queue, from, CL_TRUE, from_offset, bytes, to, 0, nullptr, nullptr), "clEnqueueReadBuffer",
          "a copy to the host");
}

} // namespace skelrt::detail::opencl
