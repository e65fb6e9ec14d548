// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/blas/cublas_calls.hpp"

#include <skelrt/error.hpp>

#include <cuda_runtime_api.h>

#include <complex>
#include <string>
#include <vector>

namespace skelrt::detail::blas::cuda
{
namespace
{

// As cublas_api.h numbers them.
constexpr int plain = 0, transposed = 1, best_algorithm = -1;

template <class T>
using gemm_function = int(void* handle, int a, int b, int rows, int cols, int depth, const T* alpha, const T* x,
                          int ldx, const T* y, int ldy, const T* beta, T* z, int ldz);

template <class T>
using gemv_function = int(void* handle, int a, int rows, int cols, const T* alpha, const T* x, int ldx, const T* y,
                          int incy, const T* beta, T* z, int incz);

/// Of any types, as its arguments number them.
using gemm_ex_function = int(void* handle, int a, int b, int rows, int cols, int depth, const void* alpha,
                             const void* x, int type_x, int ldx, const void* y, int type_y, int ldy, const void* beta,
                             void* z, int type_z, int ldz, int sum, int algorithm);
using gemms_ex_function = int(void* handle, int a, int b, int rows, int cols, int depth, const void* alpha,
                              const void* x, int type_x, int ldx, long long step_x, const void* y, int type_y, int ldy,
                              long long step_y, const void* beta, void* z, int type_z, int ldz, long long step_z,
                              int count, int sum, int algorithm);

template <class T>
struct functions {
    gemm_function<T>* gemm = nullptr;
    gemv_function<T>* gemv = nullptr;
};

std::vector<std::string> names()
{
    // The toolkit's that skelrt was built with comes first.
    return {"libcublas.so." + std::to_string(CUDART_VERSION / 1000), "libcublas.so.13", "libcublas.so.12",
            "libcublas.so"};
}

struct cublas {
    library lib{names()};
    int (*create)(void**) = nullptr;
    int (*destroy)(void*) = nullptr;
    int (*set_stream)(void*, cudaStream_t) = nullptr;
    int (*set_workspace)(void*, void*, std::size_t) = nullptr;
    functions<float> of_floats;
    functions<double> of_doubles;
    gemv_function<std::complex<float>>* complex_float_gemv = nullptr;
    gemv_function<std::complex<double>>* complex_double_gemv = nullptr;
    gemm_ex_function* gemm_ex = nullptr;
    gemms_ex_function* gemms_ex = nullptr;

    cublas()
    {
        lib.find(create, "cublasCreate_v2");
        lib.find(destroy, "cublasDestroy_v2");
        lib.find(set_stream, "cublasSetStream_v2");
        lib.find(set_workspace, "cublasSetWorkspace_v2");
        lib.find(of_floats.gemm, "cublasSgemm_v2");
        lib.find(of_floats.gemv, "cublasSgemv_v2");
        lib.find(of_doubles.gemm, "cublasDgemm_v2");
        lib.find(of_doubles.gemv, "cublasDgemv_v2");
        lib.find(complex_float_gemv, "cublasCgemv_v2");
        lib.find(complex_double_gemv, "cublasZgemv_v2");
        lib.find(gemm_ex, "cublasGemmEx");
        lib.find(gemms_ex, "cublasGemmStridedBatchedEx");
    }
};

const cublas& opened()
{
    static const cublas& one = []() -> const cublas& {
        const auto* const made = new cublas; // stays as long as the process
        log_found("CUDA devices", made->lib.found());
        return *made;
    }();
    return one;
}

void check(int status, const char* what)
{
    if (status != 0) throw error(std::string("cuBLAS: ") + what + " failed with status " + std::to_string(status));
}

/// As library_types.h and cublas_api.h number them, and the bytes of a side's element and of a result's.
struct gemm_types {
    int side, result, sum;
    std::size_t side_bytes, result_bytes;
};

gemm_types types_of(numbers n)
{
    constexpr int real_32 = 0, real_64 = 1, half = 2, complex_32 = 4, complex_64 = 5, bfloat16 = 14;
    constexpr int in_floats = 68, in_doubles = 70; // floats as floats, never as TF32
    switch (n) {
    case numbers::floats:
        return {real_32, real_32, in_floats, 4, 4};
    case numbers::doubles:
        return {real_64, real_64, in_doubles, 8, 8};
    case numbers::complex_floats:
        return {complex_32, complex_32, in_floats, 8, 8};
    case numbers::complex_doubles:
        return {complex_64, complex_64, in_doubles, 16, 16};
    case numbers::halves:
        return {half, real_32, in_floats, 2, 4};
    case numbers::bfloat16s:
        return {bfloat16, real_32, in_floats, 2, 4};
    }
    throw error("cuBLAS: numbers of no known type");
}

void* at(const gemm_matrix& m, std::size_t bytes) { return static_cast<std::byte*>(m.memory->data) + m.first * bytes; }

/// How a side is read: row-major matrices are to cuBLAS the transposed ones, column-major, and the sides change places.
int read_left(const gemm& g) { return g.left.across ? transposed : plain; }
int read_right(const gemm& g) { return g.right.across ? plain : transposed; }

template <class T>
void run(gemm_function<T>& function, void* blas, const gemm& g, const gemm_factors& by)
{
    const T alpha = by.alpha<T>(), beta = by.beta<T>();
    check(function(blas, read_right(g), read_left(g), in_int(g.cols), in_int(g.rows), in_int(g.depth), &alpha,
                   data_of<T>(g.right), in_int(g.right.ld), data_of<T>(g.left), in_int(g.left.ld), &beta,
                   data_of<T>(g.result), in_int(g.result.ld)),
          "gemm");
}

template <class T>
void run(gemv_function<T>& function, void* blas, const gemv& g, const gemm_factors& by)
{
    const T alpha = by.alpha<T>(), beta = by.beta<T>();
    const bool across = g.matrix.across;
    check(function(blas, across ? plain : transposed, in_int(across ? g.rows : g.depth),
                   in_int(across ? g.depth : g.rows), &alpha, data_of<T>(g.matrix), in_int(g.matrix.ld),
                   data_of<T>(g.vector), in_int(g.vector.step), &beta, data_of<T>(g.result), in_int(g.result.step)),
          "gemv");
}

template <class T>
void run(const functions<T>& f, void* blas, const gemm& g, const gemm_factors& by)
{
    if (const auto one = gemv_of(g)) run(*f.gemv, blas, *one, by);
    else run(*f.gemm, blas, g, by);
}

/// f(alpha, beta): as pointers to what the sums are made of.
template <class F>
void with_factors(numbers n, const gemm_factors& by, F f)
{
    with_one(n, [&]<class T>(const T& /*one*/) {
        const T alpha = by.alpha<T>(), beta = by.beta<T>();
        f(&alpha, &beta);
    });
}

} // namespace

found_library find_functions() { return opened().lib.found(); }

void* create_handle()
{
    void* blas = nullptr;
    check(opened().create(&blas), "cublasCreate");
    return blas;
}

void destroy_handle(void* blas) noexcept { opened().destroy(blas); }

void set_stream(void* blas, cudaStream_t stream) { check(opened().set_stream(blas, stream), "cublasSetStream"); }

void set_workspace(void* blas, void* memory, std::size_t bytes)
{
    check(opened().set_workspace(blas, memory, bytes), "cublasSetWorkspace");
}

void enqueue(void* blas, const gemm& g, numbers n, const gemm_factors& by)
{
    if (n == numbers::floats) return run(opened().of_floats, blas, g, by);
    if (n == numbers::doubles) return run(opened().of_doubles, blas, g, by);
    if (const auto one = gemv_of(g)) {
        if (n == numbers::complex_floats) return run(*opened().complex_float_gemv, blas, *one, by);
        if (n == numbers::complex_doubles) return run(*opened().complex_double_gemv, blas, *one, by);
    }
    const gemm_types t = types_of(n);
    with_factors(n, by, [&](const void* alpha, const void* beta) {
        check(opened().gemm_ex(blas, read_right(g), read_left(g), in_int(g.cols), in_int(g.rows), in_int(g.depth),
                               alpha, at(g.right, t.side_bytes), t.side, in_int(g.right.ld), at(g.left, t.side_bytes),
                               t.side, in_int(g.left.ld), beta, at(g.result, t.result_bytes), t.result,
                               in_int(g.result.ld), t.sum, best_algorithm),
              "cublasGemmEx");
    });
}

void enqueue(void* blas, const gemm& first, const gemm_steps& steps, numbers n, const gemm_factors& by)
{
    const gemm_types t = types_of(n);
    const auto step = [](std::size_t elements) { return static_cast<long long>(elements); };
    with_factors(n, by, [&](const void* alpha, const void* beta) {
        check(opened().gemms_ex(blas, read_right(first), read_left(first), in_int(first.cols), in_int(first.rows),
                                in_int(first.depth), alpha, at(first.right, t.side_bytes), t.side,
                                in_int(first.right.ld), step(steps.right), at(first.left, t.side_bytes), t.side,
                                in_int(first.left.ld), step(steps.left), beta, at(first.result, t.result_bytes),
                                t.result, in_int(first.result.ld), step(steps.result), in_int(steps.count), t.sum,
                                best_algorithm),
              "cublasGemmStridedBatchedEx");
    });
}

} // namespace skelrt::detail::blas::cuda
