// SPDX-License-Identifier: BSD-3-Clause
/// The OpenCL code of docs/interop.md, run where there is a device; PoCL will do.

#include <skelrt/skelrt.hpp>

#include <cstdio>
#include <map>
#include <stdexcept>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

namespace sk = skelrt;

namespace
{

void check(cl_int status)
{
    if (status != CL_SUCCESS) throw std::runtime_error("OpenCL: error " + std::to_string(status));
}

const char* const text = R"(
    kernel void axpy(global const float* x, ulong x0, global float* y, ulong y0, float a)
    {
        size_t i = get_global_id(0);
        y[y0 + i] += a * x[x0 + i];
    })";

/// Built once a device; the thread that drives it keeps it.
cl_kernel axpy_on(sk::opencl_queue q)
{
    thread_local std::map<void*, cl_kernel> built;
    cl_kernel& k = built[q.device()];
    if (k) return k;
    cl_int status;
    const auto program = clCreateProgramWithSource(static_cast<cl_context>(q.context()), 1,
                                                   const_cast<const char**>(&text), nullptr, &status);
    check(status);
    check(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
    k = clCreateKernel(program, "axpy", &status);
    check(status);
    return k;
}

template <class T>
void set(cl_kernel k, cl_uint number, const T& value)
{
    check(clSetKernelArg(k, number, sizeof value, &value));
}

void axpy_in(sk::opencl_queue q, sk::cl_block<const float> x, sk::cl_block<float> y, float a)
{
    const cl_kernel k = axpy_on(q);
    set(k, 0, x.memory());
    set(k, 1, cl_ulong{x.offset()});
    set(k, 2, y.memory());
    set(k, 3, cl_ulong{y.offset()});
    set(k, 4, a);
    const std::size_t n = y.size();
    const auto queue = static_cast<cl_command_queue>(q.get());
    check(clEnqueueNDRangeKernel(queue, k, 1, nullptr, &n, nullptr, 0, nullptr, nullptr));
}
const sk::kernel axpy("axpy in OpenCL C", sk::on_opencl(axpy_in));

const char* const scale_in_cuda = R"(
    extern "C" __global__ void scale(float* x, unsigned long long rows, unsigned long long cols, unsigned long long ld,
                                     float by)
    {
        unsigned long long k = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
        if (k < rows * cols) x[k / cols * ld + k % cols] *= by;
    })";
const char* const scale_in_opencl = R"(
    kernel void scale(global float* x, ulong first, ulong rows, ulong cols, ulong ld, float by)
    {
        ulong k = get_global_id(0);
        if (k < rows * cols) x[first + k / cols * ld + k % cols] *= by;
    })";
const sk::kernel scale("scale", sk::on_cuda(sk::cuda_text(scale_in_cuda, "scale")),
                       sk::on_opencl(sk::opencl_text(scale_in_opencl, "scale")));

const auto twice = sk::map(SKELRT_FN((float v) { return 2 * v; }));

bool axpy_is_right()
{
    sk::vector<float> x(1000, 1.0f), y(1000, 0.0f);
    x = twice(x);
    sk::task(axpy, sk::in(x), sk::inout(y), 3.0f);
    sk::task(axpy, sk::in(x.range(0, 10)), sk::inout(y.range(100, 10)), 3.0f);
    const auto h = sk::host_read(y);
    return h[0] == 6 && h[99] == 6 && h[100] == 12 && h[109] == 12 && h[110] == 6;
}

bool scale_is_right()
{
    sk::matrix<float> m(50, 70, 1.0f);
    sk::task(scale, sk::inout(m.sub(10, 20, 30, 40)), 3.0f);
    const auto h = sk::host_read(m);
    return h(10, 20) == 3 && h(39, 59) == 3 && h(10, 19) == 1 && h(40, 59) == 1 && h(39, 60) == 1;
}

bool there_is_a_device(const sk::runtime& rt)
{
    for (const auto& d : rt.devices())
        if (d.kind == sk::device::opencl) return true;
    return false;
}

} // namespace

int main()
{
    sk::options o;
    o.opencl_on_cpu = true;
    const sk::runtime rt(o);
    if (!there_is_a_device(rt)) return 77;
    const bool right = axpy_is_right(), right_as_text = scale_is_right();
    std::printf("axpy in OpenCL C: %s, scale as text: %s\n", right ? "right" : "wrong",
                right_as_text ? "right" : "wrong");
    return right && right_as_text ? 0 : 1;
}
