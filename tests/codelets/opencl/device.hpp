// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/opencl/opencl.hpp"

#include <skelrt/function.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

/// The first OpenCL device of the machine with a context and a queue of its own, and work put together by hand.
namespace skelrt::detail::opencl::test
{

class device
{
public:
    static device& get()
    {
        static device the_one;
        return the_one;
    }
    cl_context context() const { return context_; }
    cl_device_id id() const { return id_; }
    cl_command_queue queue() const { return queue_; }

private:
    device()
    {
        cl_platform_id platform = nullptr;
        cl_int error = clGetPlatformIDs(1, &platform, nullptr);
        REQUIRE(error == CL_SUCCESS);
        REQUIRE(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id_, nullptr) == CL_SUCCESS);
        context_ = clCreateContext(nullptr, 1, &id_, nullptr, nullptr, &error);
        REQUIRE(error == CL_SUCCESS);
        queue_ = clCreateCommandQueue(context_, id_, 0, &error);
        REQUIRE(error == CL_SUCCESS);
    }

    cl_context context_ = nullptr;
    cl_device_id id_ = nullptr;
    cl_command_queue queue_ = nullptr;
};

/// Elements in a device buffer, behind `skip` elements that must stay untouched.
template <class T>
class on_device
{
public:
    explicit on_device(std::vector<T> values, std::size_t skip = 0) : size_(values.size()), skip_(skip)
    {
        values.insert(values.begin(), skip, T{});
        cl_int error = CL_SUCCESS;
        const std::size_t bytes = std::max<std::size_t>(values.size() * sizeof(T), 1);
        memory_ = clCreateBuffer(device::get().context(), CL_MEM_READ_WRITE, bytes, nullptr, &error);
        REQUIRE(error == CL_SUCCESS);
        if (!values.empty())
            REQUIRE(clEnqueueWriteBuffer(device::get().queue(), memory_, CL_TRUE, 0, values.size() * sizeof(T),
                                         values.data(), 0, nullptr, nullptr) == CL_SUCCESS);
    }
    on_device(const on_device&) = delete;
    on_device& operator=(const on_device&) = delete;
    ~on_device() { clReleaseMemObject(memory_); }

    std::vector<T> read() const
    {
        std::vector<T> values(size_);
        if (size_ != 0)
            REQUIRE(clEnqueueReadBuffer(device::get().queue(), memory_, CL_TRUE, skip_ * sizeof(T), size_ * sizeof(T),
                                        values.data(), 0, nullptr, nullptr) == CL_SUCCESS);
        return values;
    }

    /// `first`: the element at which the view begins.
    slot_view view(std::size_t rows, std::size_t cols, std::size_t ld, std::size_t stride = 1,
                   std::size_t first = 0) const
    {
        return {memory_, (skip_ + first) * sizeof(T), rows, cols, ld, stride};
    }
    slot_view row() const { return view(1, size_, size_); }

private:
    std::size_t size_, skip_;
    cl_mem memory_ = nullptr;
};

template <class T>
slot_type slot(slot_kind kind, std::string_view type)
{
    return {kind, type, sizeof(T), alignof(T)};
}

/// Runs the work and waits for it.
inline void run(const work& w)
{
    auto& d = device::get();
    launch(w, d.context(), d.id(), d.queue());
    REQUIRE(clFinish(d.queue()) == CL_SUCCESS);
}

/// `function` of element slots 0 .. inputs-1; a map's result is the last slot.
template <class In, class Out>
void fill(recipe& r, skeleton kind, std::string_view in, std::string_view out, const function_source* function,
          unsigned inputs)
{
    r.kind = kind;
    r.name = "test";
    function_call call{function, out, sizeof(Out), {}};
    for (unsigned k = 0; k < inputs; ++k) {
        r.slots.push_back(slot<In>(slot_kind::element, in));
        call.arguments.push_back({argument_kind::slot, k});
    }
    if (kind == skeleton::map) r.slots.push_back(slot<Out>(slot_kind::element, out));
    if (function != nullptr) {
        r.calls.push_back(call);
        r.root = {argument_kind::call, 0};
    }
    r.result = out;
    r.result_size = sizeof(Out);
    r.result_align = alignof(Out);
}

} // namespace skelrt::detail::opencl::test
