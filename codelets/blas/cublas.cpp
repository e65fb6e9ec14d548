// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/blas/cublas.hpp"

#include "codelets/blas/gemm.hpp"
#include "codelets/blas/library.hpp"
#include "codelets/blas/plain_product.hpp"
#include "src/jit/current_device.hpp"
#include "src/runtime/log.hpp"

#include <skelrt/error.hpp>

#include <cuda_runtime_api.h>

#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace skelrt::detail::blas::cuda
{
namespace
{

// As cublas_api.h numbers them.
constexpr int plain = 0, transposed = 1;

template <class T>
using gemm_function = int(void* handle, int a, int b, int rows, int cols, int depth, const T* alpha, const T* x,
                          int ldx, const T* y, int ldy, const T* beta, T* z, int ldz);

template <class T>
using gemv_function = int(void* handle, int a, int rows, int cols, const T* alpha, const T* x, int ldx, const T* y,
                          int incy, const T* beta, T* z, int incz);

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

/// What cuBLAS's own documentation says that it makes use of.
std::size_t workspace_bytes(int device)
{
    int major = 0;
    check_cuda(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "no compute capability");
    return std::size_t{major >= 9 ? 32u : 8u} << 20;
}

/// A handle with memory of its own: kernels of two streams may run at once.
struct handle {
    void* blas = nullptr;
    void* workspace = nullptr;
    std::size_t bytes = 0;
};

/// On the current device.
handle make_handle()
{
    handle h;
    h.bytes = workspace_bytes(device_now());
    check_cuda(cudaMalloc(&h.workspace, h.bytes), "no memory for cuBLAS");
    if (const int status = opened().create(&h.blas); status != 0) {
        cudaFree(h.workspace);
        check(status, "cublasCreate");
    }
    return h;
}

/// On the current device; waits for what it does.
void end(const handle& h) noexcept
{
    opened().destroy(h.blas);
    cudaFree(h.workspace);
}

/// The first product loads kernels: a small one, in memory that is of no use yet.
template <class T>
void run_once(const functions<T>& f, const handle& h)
{
    constexpr int side = 64;
    const T one = 1, zero = 0;
    const auto* const x = static_cast<const T*>(h.workspace);
    auto* const z = static_cast<T*>(h.workspace) + side * side;
    check(f.gemm(h.blas, plain, plain, side, side, side, &one, x, side, x, side, &zero, z, side), "gemm");
}

void run_once(const handle& h)
{
    cudaStream_t own = nullptr;
    check_cuda(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking), "no stream");
    check(opened().set_stream(h.blas, own), "cublasSetStream");
    run_once(opened().of_floats, h);
    run_once(opened().of_doubles, h);
    check_cuda(cudaStreamSynchronize(own), "the first product failed");
    check_cuda(cudaStreamDestroy(own), "no end of a stream");
}

std::mutex guard;

struct handles {
    std::map<std::pair<int, cudaStream_t>, handle> of_streams;
    std::map<int, handle> spare;      ///< for a device's first stream
    std::map<int, std::thread> loads; ///< of devices, begun
    std::set<int> loaded;             ///< devices whose load has ended
    std::set<int> refused;            ///< devices that have no memory left for it, or that cuBLAS cannot use
};

handles& all()
{
    static auto& one = *new handles;
    return one;
}

void refuse(int device, const char* why)
{
    all().refused.insert(device);
    log_warning("products of matrices on CUDA device {}: our own kernels; {}", device, why);
}

handle make_and_try(int device)
{
    const current_device scope{device};
    const handle h = make_handle();
    try {
        run_once(h);
    } catch (...) {
        end(h);
        throw;
    }
    return h;
}

void load(int device) noexcept
{
    std::optional<handle> made;
    std::string why;
    try {
        if (opened().lib.missing().empty()) made = make_and_try(device);
    } catch (const std::exception& e) {
        why = e.what();
    }
    const std::lock_guard lock(guard);
    if (made) all().spare[device] = *made;
    if (!why.empty()) refuse(device, why.c_str());
    else if (!made) all().refused.insert(device); // log_found() has told
    all().loaded.insert(device);
}

/// Loading takes some hundred milliseconds, in which our own kernels do what there is to do. Caller holds the guard.
void begin_to_load(int device)
{
    handles& h = all();
    if (h.loads.contains(device)) return;
    try {
        h.loads.emplace(device, std::thread(&load, device));
    } catch (const std::system_error& e) {
        refuse(device, e.what());
        h.loads.emplace(device, std::thread());
        h.loaded.insert(device);
    }
}

/// Caller holds the guard. On the current device.
std::optional<handle> try_to_make(int device)
{
    if (all().refused.contains(device)) return {};
    try {
        return make_handle();
    } catch (const error& why) {
        refuse(device, why.what());
        return {};
    }
}

/// Null: our own kernels serve on this device, or until cuBLAS is loaded.
void* handle_for(cudaStream_t stream)
{
    const int device = device_now();
    const std::lock_guard lock(guard);
    handles& h = all();
    if (const auto known = h.of_streams.find({device, stream}); known != h.of_streams.end()) return known->second.blas;
    if (!h.loaded.contains(device)) {
        begin_to_load(device);
        return nullptr;
    }
    std::optional<handle> made;
    if (const auto spare = h.spare.extract(device)) made = spare.mapped();
    else made = try_to_make(device);
    if (!made) return nullptr;
    h.of_streams[{device, stream}] = *made;
    check(opened().set_stream(made->blas, stream), "cublasSetStream");
    check(opened().set_workspace(made->blas, made->workspace, made->bytes), "cublasSetWorkspace");
    return made->blas;
}

/// Threads that load, or have loaded.
std::map<int, std::thread> take_loads()
{
    const std::lock_guard lock(guard);
    return std::exchange(all().loads, {});
}

/// Row-major matrices are to cuBLAS the transposed ones, column-major: the sides change places.
template <class T>
void run(gemm_function<T>& function, void* blas, const gemm& g, T beta)
{
    const T one = 1;
    check(function(blas, g.right.across ? plain : transposed, g.left.across ? transposed : plain, in_int(g.cols),
                   in_int(g.rows), in_int(g.depth), &one, data_of<T>(g.right), in_int(g.right.ld), data_of<T>(g.left),
                   in_int(g.left.ld), &beta, data_of<T>(g.result), in_int(g.result.ld)),
          "gemm");
}

template <class T>
void run(gemv_function<T>& function, void* blas, const gemv& g, T beta)
{
    const T one = 1;
    const bool across = g.matrix.across;
    check(function(blas, across ? plain : transposed, in_int(across ? g.rows : g.depth),
                   in_int(across ? g.depth : g.rows), &one, data_of<T>(g.matrix), in_int(g.matrix.ld),
                   data_of<T>(g.vector), in_int(g.vector.step), &beta, data_of<T>(g.result), in_int(g.result.step)),
          "gemv");
}

template <class T>
void run(const functions<T>& f, void* blas, const gemm& g, bool begun)
{
    const T beta = begun ? T{1} : T{0};
    if (const auto one = gemv_of(g)) run(*f.gemv, blas, *one, beta);
    else run(*f.gemm, blas, g, beta);
}

bool is_for_cublas(const recipe& what) { return is_wanted() && is_plain_product(what); }

} // namespace

void prepare(const recipe& what, int device)
{
    if (!is_for_cublas(what)) return;
    const std::lock_guard lock(guard);
    begin_to_load(device);
}

void wait_until_loaded(int device)
{
    std::unique_lock lock(guard);
    const auto it = all().loads.find(device);
    if (it == all().loads.end() || !it->second.joinable()) return;
    std::thread one = std::exchange(it->second, {}); // it stays known as begun
    lock.unlock();
    one.join();
}

bool multiply(const work& w, cudaStream_t stream)
{
    if (!is_for_cublas(w.what)) return false;
    const auto products = gemms_of(w);
    if (!products) return false;
    void* const blas = handle_for(stream);
    if (!blas) return false;
    for (const gemm& g : *products) {
        if (w.what.result_size == sizeof(float)) run(opened().of_floats, blas, g, w.begun);
        else run(opened().of_doubles, blas, g, w.begun);
    }
    return true;
}

void release() noexcept
{
    for (auto& [device, one] : take_loads())
        if (one.joinable()) one.join();
    const std::lock_guard lock(guard);
    handles& h = all();
    int before = 0;
    if (cudaGetDevice(&before) == cudaSuccess) {
        for (const auto& [where, one] : h.of_streams)
            if (cudaSetDevice(where.first) == cudaSuccess) end(one);
        for (const auto& [device, one] : h.spare)
            if (cudaSetDevice(device) == cudaSuccess) end(one);
        cudaSetDevice(before);
    }
    h = {};
}

found_library find_library() { return opened().lib.found(); }

} // namespace skelrt::detail::blas::cuda
