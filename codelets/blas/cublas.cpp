// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/blas/cublas.hpp"

#include "codelets/blas/cublas_calls.hpp"
#include "codelets/blas/cublas_streams.hpp"
#include "codelets/blas/plain_product.hpp"
#include "codelets/blas/plane_product.hpp"
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

/// The first product of some numbers loads their kernels: a small one, in memory that is of no use yet.
void run_once(const handle& h, numbers n)
{
    constexpr std::size_t side = 64;
    const slot_view memory{h.workspace, 0, side, side, side, 1};
    const gemm_matrix operand{&memory, 0, side, false}, result{&memory, side * side, side, false};
    enqueue(h.blas, {side, side, side, operand, operand, result}, n, {});
}

void run_once(const handle& h, const std::set<numbers>& what)
{
    cudaStream_t own = nullptr;
    check_cuda(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking), "no stream");
    set_stream(h.blas, own);
    for (const numbers n : what) run_once(h, n);
    check_cuda(cudaStreamSynchronize(own), "the first product failed");
    check_cuda(cudaStreamDestroy(own), "no end of a stream");
}

std::mutex guard;

struct stream_handle {
    handle own;
    side_stream side;
};

struct handles {
    std::map<std::pair<int, cudaStream_t>, stream_handle> of_streams;
    std::map<int, handle> spare;      ///< for a device's first stream
    std::map<int, std::thread> loads; ///< of devices, begun
    std::set<int> loaded;             ///< devices whose load has ended
    std::map<int, double> products;   ///< of two elements, that devices have had before it began
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

handle make_and_try(int device, numbers first)
{
    const current_device scope{device};
    const handle h = make_handle();
    try {
        run_once(h, {numbers::floats, numbers::doubles, first});
    } catch (...) {
        end(h);
        throw;
    }
    return h;
}

/// Kernels of other numbers than these are loaded by their first product.
void load(int device, numbers first) noexcept
{
    std::optional<handle> made;
    std::string why;
    try {
        if (find_functions().missing.empty()) made = make_and_try(device, first);
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
void begin_to_load(int device, numbers first)
{
    handles& h = all();
    if (h.loads.contains(device)) return;
    try {
        h.loads.emplace(device, std::thread(&load, device, first));
    } catch (const std::system_error& e) {
        refuse(device, e.what());
        h.loads.emplace(device, std::thread());
        h.loaded.insert(device);
    }
}

/// Products of two elements: a program that has fewer is done before cuBLAS is there, and its calls would wait where
/// the driver loads.
constexpr double worth_loading = 8e9;

double products_in(const gemm& g)
{
    return static_cast<double>(g.rows) * static_cast<double>(g.cols) * static_cast<double>(g.depth);
}

double products_in(const std::vector<gemm>& all)
{
    double sum = 0;
    for (const gemm& g : all) sum += products_in(g);
    return sum;
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

/// For so many products of two elements. Null: our own kernels serve on this device, or until cuBLAS is loaded. Stays
/// until release().
stream_handle* handle_for(cudaStream_t stream, numbers n, double products)
{
    const int device = device_now();
    const std::lock_guard lock(guard);
    handles& h = all();
    if (const auto known = h.of_streams.find({device, stream}); known != h.of_streams.end()) return &known->second;
    if (!h.loaded.contains(device)) {
        if ((h.products[device] += products) >= worth_loading) begin_to_load(device, n);
        return nullptr;
    }
    std::optional<handle> made;
    if (const auto spare = h.spare.extract(device)) made = spare.mapped();
    else made = try_to_make(device);
    if (!made) return nullptr;
    stream_handle& one = h.of_streams[{device, stream}];
    one.own = *made;
    put_on(one.own, stream);
    return &one;
}

/// enqueue_one(k, blas) for k < count: two of several at a time, if there is memory for that.
template <class Enqueue>
void enqueue_all(stream_handle& h, cudaStream_t stream, std::size_t count, const Enqueue& enqueue_one)
{
    if (count > 1 && h.side.is_there()) return h.side.run(h.own, stream, count, enqueue_one);
    for (std::size_t k = 0; k < count; ++k) enqueue_one(k, h.own.blas);
}

/// Threads that load, or have loaded.
std::map<int, std::thread> take_loads()
{
    const std::lock_guard lock(guard);
    return std::exchange(all().loads, {});
}

std::optional<numbers> for_cublas(const recipe& what)
{
    if (!is_wanted()) return {};
    return what.kind == skeleton::map ? plane_product_of(what) : product_of(what);
}

/// The products of all planes of a task, a segment after the other. Nothing: one of them is not for a BLAS.
std::optional<std::vector<gemm>> first_planes_of(const work& w)
{
    const std::size_t rows = plane_sizes_of(w).rows;
    std::vector<gemm> all;
    for (std::size_t s = 0; s < w.segments.size(); ++s) {
        const auto g = gemm_of_plane(w, s, 0, 0, rows);
        if (!g || w.segments[s].cols != w.width.cols) return {};
        all.push_back(*g);
    }
    return all;
}

gemm_steps steps_of(const work& w, std::size_t segment)
{
    const auto step = [&](std::size_t slot) { return w.slot(segment, slot).ld; };
    return {w.segments[segment].rows, step(0), step(1), step(w.what.slots.size() - 1)};
}

} // namespace

void load_for(const recipe& what, int device)
{
    const auto n = for_cublas(what);
    if (!n) return;
    const std::lock_guard lock(guard);
    begin_to_load(device, *n);
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
    const auto n = for_cublas(w.what);
    if (!n) return false;
    const auto products = gemms_of(w, *n);
    if (!products) return false;
    stream_handle* const h = handle_for(stream, *n, products_in(*products));
    if (!h) return false;
    const gemm_factors by = factors_of(w);
    enqueue_all(*h, stream, products->size(),
                [&](std::size_t k, void* blas) { enqueue(blas, (*products)[k], *n, by); });
    return true;
}

bool multiply_vectors(const work& w, cudaStream_t stream)
{
    const auto n = for_cublas(w.what);
    if (!n) return false;
    const auto products = vector_gemms_of(w, *n);
    if (!products) return false;
    const stream_handle* const h = handle_for(stream, *n, products_in(*products));
    if (!h) return false;
    gemm_factors by;
    for (const gemm& g : *products) {
        enqueue(h->own.blas, g, *n, by);
        by.begun = w.what.kind == skeleton::reduce_columns;
    }
    return true;
}

bool multiply_planes(const work& w, cudaStream_t stream)
{
    const auto n = for_cublas(w.what);
    if (!n) return false;
    const auto first = first_planes_of(w);
    if (!first) return false;
    double products = 0;
    for (std::size_t s = 0; s < w.segments.size(); ++s)
        products += static_cast<double>(steps_of(w, s).count) * products_in((*first)[s]);
    stream_handle* const h = handle_for(stream, *n, products);
    if (!h) return false;
    enqueue_all(*h, stream, first->size(), [&](std::size_t s, void* blas) {
        if (const gemm_steps steps = steps_of(w, s); steps.count > 0) enqueue(blas, (*first)[s], steps, *n, {});
    });
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
        for (auto& [where, one] : h.of_streams)
            if (cudaSetDevice(where.first) == cudaSuccess) one.side.end(), end(one.own);
        for (const auto& [device, one] : h.spare)
            if (cudaSetDevice(device) == cudaSuccess) end(one);
        cudaSetDevice(before);
    }
    h = {};
}

found_library find_library() { return find_functions(); }

} // namespace skelrt::detail::blas::cuda
