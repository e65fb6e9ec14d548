// SPDX-License-Identifier: BSD-3-Clause
/// The CUDA code of docs/interop.md, compiled where there is a toolkit, and run where there is a GPU.

#include "interop_cuda.hpp"
#include "expect.hpp"

#include <skelrt/skelrt.hpp>

#include <cublas_v2.h>
#include <cufft.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

namespace sk = skelrt;

namespace
{

void check(int status, const char* what)
{
    if (status != 0) throw std::runtime_error(std::string(what) + ": status " + std::to_string(status));
}

/// One for each stream. The thread that drives a GPU keeps its own.
cublasHandle_t cublas_in(sk::cuda_stream s)
{
    thread_local std::map<void*, cublasHandle_t> handles;
    cublasHandle_t& h = handles[s.get()];
    if (h) return h;
    check(cublasCreate(&h), "cublasCreate");
    check(cublasSetStream(h, s), "cublasSetStream");
    return h;
}

/// Row-major blocks are transposed ones to cuBLAS: c = a b is there c^T = b^T a^T.
void multiply(sk::cuda_stream s, sk::block<const float> a, sk::block<const float> b, sk::block<float> c)
{
    const float one = 1, zero = 0;
    const auto of = [](std::size_t n) { return static_cast<int>(n); };
    check(cublasSgemm(cublas_in(s), CUBLAS_OP_N, CUBLAS_OP_N, of(c.cols()), of(c.rows()), of(a.cols()), &one, b.data(),
                      of(b.ld()), a.data(), of(a.ld()), &zero, c.data(), of(c.ld())),
          "cublasSgemm");
}
const sk::kernel product("cublas product", sk::on_cuda(multiply));

cufftHandle plan_in(sk::cuda_stream s, std::size_t n)
{
    thread_local std::map<std::pair<void*, std::size_t>, cufftHandle> plans;
    const auto [at, is_new] = plans.try_emplace({s.get(), n});
    if (!is_new) return at->second;
    check(cufftPlan1d(&at->second, static_cast<int>(n), CUFFT_C2C, 1), "cufftPlan1d");
    check(cufftSetStream(at->second, s), "cufftSetStream");
    return at->second;
}

void transform_in_place(sk::cuda_stream s, sk::block<cufftComplex> x)
{
    check(cufftExecC2C(plan_in(s, x.size()), x.data(), x.data(), CUFFT_FORWARD), "cufftExecC2C");
}
const sk::kernel transform("cufft forward", sk::on_cuda(transform_in_place));

void shift_in(sk::cuda_stream s, sk::block<float> x, float by) { shift_on_gpu(s, x.data(), x.size(), by); }
const sk::kernel shift("shift", sk::on_cuda(shift_in));

void square_in(sk::cuda_stream s, sk::block<const float> x, sk::block<float> y)
{
    square_on_gpu(s, x.data(), y.data(), x.size());
}
const sk::kernel square("square", sk::on_cuda(square_in));

const auto twice = sk::map(SKELRT_FN((float v) { return 2 * v; }));

void products()
{
    sk::matrix<float> a(300, 200, 1.0f), b(200, 100, 1.0f), c(300, 100);
    a = twice(a);
    sk::task(product, sk::in(a), sk::in(b), sk::out(c));
    c = twice(c); // there is no copy between the three
    expect(sk::host_read(c)(299, 99) == 800, "cuBLAS");
}

void transforms()
{
    sk::vector<cufftComplex> x(1024, cufftComplex{1, 0});
    sk::task(transform, sk::inout(x));
    const auto h = sk::host_read(x);
    expect(std::abs(h[0].x - 1024) < 0.01f && std::abs(h[1].x) < 0.01f, "cuFFT");
}

void own_kernels()
{
    sk::vector<float> x(1000, 1.0f), y(1000);
    sk::task(shift, sk::inout(x.range(500, 500)), 2.0f);
    sk::task(square, sk::in(x), sk::out(y));
    const auto h = sk::host_read(y);
    expect(h[499] == 1 && h[500] == 9, "own kernels, and Thrust");
}

bool there_is_a_gpu(const sk::runtime& rt)
{
    for (const auto& d : rt.devices())
        if (d.kind == sk::device::cuda) return true;
    return false;
}

} // namespace

int main()
{
    const sk::runtime rt;
    if (!there_is_a_gpu(rt)) return 77;
    products();
    transforms();
    own_kernels();
    std::printf("%d failures\n", failures);
    return failures == 0 ? 0 : 1;
}
