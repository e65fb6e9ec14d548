// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/launch/launch_list.hpp"
#include "codelets/cuda/launch/launchers.hpp"
#include "codelets/cuda/sort/radix_keys.hpp"
#include "codelets/cuda/source.hpp"

#include "codelets/blas/cublas.hpp"
#include "codelets/index_fault.hpp"
#include "codelets/sparse/row_blocks.hpp"
#include "src/jit/current_device.hpp"
#include "src/jit/nvrtc.hpp"
#include "src/runtime/log.hpp"

#include <skelrt/error.hpp>

#include <cuda_runtime_api.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace skelrt::detail::cuda
{
namespace
{

/// A program that is built, and uploaded to a device.
struct ready_program {
    int device;
    kernel_variant variant;
    const program* kernels;
    const ready_program* next;
};

/// Behind recipe::cuda_kernels. Programs are per architecture, since devices of a node may differ.
struct recipe_kernels {
    std::atomic<const ready_program*> ready{nullptr}; ///< asked at each launch, without the lock; grows in front only
    std::mutex lock;
    std::map<std::pair<std::string, kernel_variant>, std::unique_ptr<program>> built; ///< by architecture
};

recipe_kernels& kernels_of(const recipe& what)
{
    void* known = what.cuda_kernels.load(std::memory_order_acquire);
    if (known == nullptr) {
        auto fresh = std::make_unique<recipe_kernels>();
        if (what.cuda_kernels.compare_exchange_strong(known, fresh.get())) known = fresh.release();
    }
    return *static_cast<recipe_kernels*>(known);
}

void check_call(cudaError_t result, std::string_view what)
{
    if (result != cudaSuccess) throw error("CUDA: " + std::string(what) + ": " + cudaGetErrorString(result));
}

/// The entry points of a skeleton's kernels over the kinds of access.
std::array<const char*, 3> walk_names(skeleton kind)
{
    switch (kind) {
    case skeleton::map:
        return {"map_packed", "map_linear", "map_strided"};
    case skeleton::all_pairs:
        return {"all_pairs_general", "all_pairs_along", "all_pairs_across"};
    case skeleton::reduce:
        return {"reduce_packed", "reduce_linear", "reduce_strided"};
    case skeleton::reduce_rows:
        return {"rows_packed", "rows_linear", "rows_strided"};
    case skeleton::scan:
        return {"scan_packed", "scan_linear", "scan_strided"};
    case skeleton::scan_rows:
        return {"scan_rows_packed", "scan_rows_linear", "scan_rows_strided"};
    case skeleton::filter:
        return {"filter_packed", "filter_linear", "filter_strided"};
    case skeleton::accumulate:
        return {nullptr, "each_linear", "each_strided"};
    case skeleton::sort:
        return {nullptr, "sort_gather_linear", "sort_gather_strided"};
    case skeleton::reduce_columns:
    case skeleton::scan_columns:
    case skeleton::stencil:
    case skeleton::wavefront:
        break;
    }
    return {};
}

constexpr std::array tile_names{"scan_tiles_packed", "scan_tiles_linear", "scan_tiles_strided"};

constexpr std::array shared_names{"each_shared_packed", "each_shared_linear", "each_shared_strided"};

void load_tiles(program& kernels, const cuda_binary& binary, const std::array<const char*, 3>& names)
{
    for (std::size_t i = 0; i < names.size(); ++i)
        if (!kernels.shape.pairs || i == static_cast<std::size_t>(access::strided))
            kernels.tiles[i] = load_kernel(binary, names[i]);
}

void load_scan_kernels(program& kernels, const cuda_binary& binary)
{
    const skeleton kind = kernels.layout.what.kind;
    if (kind == skeleton::scan_rows) load_tiles(kernels, binary, tile_names);
    if (kind != skeleton::scan_columns) return;
    kernels.columns = load_kernel(binary, "scan_columns");
    kernels.whole_columns = load_kernel(binary, "scan_whole_columns");
}

constexpr std::array<const char*, 3> scatter_names{nullptr, "sort_scatter_linear", "sort_scatter_strided"};

void load_sort_kernels(program& kernels, const cuda_binary& binary)
{
    for (std::size_t i = 1; i < scatter_names.size(); ++i)
        if (kernels.walk[i] != nullptr) kernels.tiles[i] = load_kernel(binary, scatter_names[i]);
    if (radix_word_size(kernels.layout.what, kernels.block) > 0) return;
    kernels.sort_tiles = load_kernel(binary, "sort_tiles");
    kernels.merge_tiles = load_kernel(binary, "merge_tiles");
}

bool exists(const program& kernels, std::size_t access_kind)
{
    const recipe& what = kernels.layout.what;
    if (what.kind == skeleton::all_pairs) return access_kind == 0 || pair_shape_of(what, kernels.threads).plain;
    return !kernels.shape.pairs || access_kind == static_cast<std::size_t>(access::strided);
}

void load_kernels(program& kernels, const cuda_binary& binary)
{
    const skeleton kind = kernels.layout.what.kind;
    if (kind == skeleton::stencil) {
        // As in hood_place.
        constexpr const char* names[] = {"stencil_stream", "stencil_tile", "stencil_direct", "stencil_window",
                                         "stencil_lockstep"};
        kernels.stencil.kernel = load_kernel(binary, names[static_cast<std::size_t>(kernels.stencil.hoods)]);
        if (kernels.stencil.alternates) kernels.stencil.in_place = load_kernel(binary, "stencil_in_place");
        else if (kernels.stencil.hoods == hood_place::memory)
            kernels.stencil.single = load_kernel(binary, "stencil_single");
        return choose_tiles(kernels.layout.what, kernels.stencil);
    }
    const auto names = walk_names(kind);
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] != nullptr && exists(kernels, i)) kernels.walk[i] = load_kernel(binary, names[i]);
    if (kind == skeleton::map && kernels.shape.squares() && kernels.threads == block_threads)
        kernels.squares = load_kernel(binary, "map_squares");
    if (!kernels.shape.turned.empty()) kernels.turned = load_kernel(binary, "map_turned");
    if (merge_tile_of(kernels.layout.what, kernels.threads) > 0)
        kernels.merge_tiles = load_kernel(binary, "merge_tiles");
    if (sparse::sums_rows(kernels.layout.what)) kernels.row_sums = load_kernel(binary, "map_row_sums");
    if (is_scan(kind)) load_scan_kernels(kernels, binary);
    if (kind == skeleton::wavefront) kernels.columns = load_kernel(binary, "wavefront_strips");
    if (kind == skeleton::accumulate && !has_one_copy(kernels.layout.what.rule)) {
        load_tiles(kernels, binary, shared_names);
        kernels.clear = load_kernel(binary, "clear_added");
    }
    if (kind == skeleton::sort) return load_sort_kernels(kernels, binary);
    const bool combines = kind == skeleton::reduce_rows || kind == skeleton::reduce_columns;
    if (!combines) return;
    kernels.combine = load_kernel(binary, "combine_partials");
    kernels.combine_each = load_kernel(binary, "combine_each");
    if (kind == skeleton::reduce_columns) kernels.columns = load_kernel(binary, "columns");
}

/// The macros keep a user's function as one line. When it does not compile, the text with the user's own line breaks
/// gives the true line; it is not the usual text because it depends on a file that need not be there.
cuda_binary compile(const program& kernels, std::string_view arch)
{
    const std::string& name = kernels.layout.what.name;
    try {
        return compile_cuda(source_of(kernels, false), arch, name);
    } catch (const function_error&) {
        compile_cuda(source_of(kernels, true), arch, name);
        throw;
    }
}

/// Loads lazily loaded code onto the current device now: the first launch should not have to.
void upload(const program& kernels)
{
    for (const void* kernel :
         {kernels.walk[0], kernels.walk[1], kernels.walk[2], kernels.squares, kernels.turned, kernels.tiles[0],
          kernels.tiles[1], kernels.tiles[2], kernels.columns, kernels.whole_columns, kernels.combine,
          kernels.combine_each, kernels.stencil.kernel, kernels.stencil.in_place, kernels.stencil.single,
          kernels.sort_tiles, kernels.merge_tiles, kernels.row_sums, kernels.clear}) {
        cudaFuncAttributes unused;
        if (kernel != nullptr) check_call(cudaFuncGetAttributes(&unused, kernel), kernels.layout.what.name);
    }
}

/// Null: not yet.
const program* find_ready(const recipe_kernels& all, int device, const kernel_variant& variant)
{
    for (const ready_program* p = all.ready.load(std::memory_order_acquire); p; p = p->next)
        if (p->device == device && p->variant == variant) return p->kernels;
    return nullptr;
}

void load(program& kernels, const cuda_binary& binary)
{
    load_kernels(kernels, binary);
    if (checks_indices(kernels.layout.what)) kernels.checked = binary;
}

enum class binary_from : std::uint8_t { cache, compiler };

/// Null: the cache has none.
std::unique_ptr<program> make_program(const recipe& what, const kernel_variant& variant, const std::string& arch,
                                      binary_from from)
{
    auto fresh = std::make_unique<program>(what, variant);
    if (from == binary_from::compiler) {
        build(*fresh, arch, true);
        return fresh;
    }
    const std::optional<cuda_binary> binary = find_cuda(source_of(*fresh, false), arch);
    if (!binary) return nullptr;
    load(*fresh, *binary);
    return fresh;
}

/// On the current device. Null: the cache has none.
const program* build_on(recipe_kernels& all, const recipe& what, int device, const kernel_variant& variant,
                        binary_from from)
{
    const std::scoped_lock guard{all.lock};
    if (const program* known = find_ready(all, device, variant)) return known;
    const std::string arch = cuda_arch(device);
    std::unique_ptr<program>& slot = all.built[{arch, variant}];
    if (!slot) slot = make_program(what, variant, arch, from);
    if (!slot) return nullptr;
    if (what.kind == skeleton::stencil) allow_shared_memory(slot->stencil);
    upload(*slot);
    all.ready.store(new ready_program{device, variant, slot.get(), all.ready.load(std::memory_order_relaxed)},
                    std::memory_order_release); // as long as the program, which is for good
    return slot.get();
}

const program& program_on(const recipe& what, int device, const kernel_variant& variant)
{
    recipe_kernels& all = kernels_of(what);
    if (const program* ready = find_ready(all, device, variant)) return *ready;
    return *build_on(all, what, device, variant, binary_from::compiler);
}

} // namespace

void build(program& kernels, std::string_view arch, bool loads)
{
    const auto begin = std::chrono::steady_clock::now();
    const cuda_binary binary = compile(kernels, arch);
    if (loads) load(kernels, binary);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    log_debug("{}: CUDA kernels for {} ready in {:.1f} ms", kernels.layout.what.name, arch, time.count());
}

const program& program_for(const recipe& what, const kernel_variant& variant)
{
    int device = 0;
    check_call(cudaGetDevice(&device), what.name);
    return program_on(what, device, variant);
}

bool is_prepared(const recipe& what, int device, const kernel_variant& variant)
{
    return find_ready(kernels_of(what), device, variant) != nullptr;
}

void prepare(const recipe& what, int device, const kernel_variant& variant)
{
    if (blas::is_preferred()) blas::cuda::load_for(what, device);
    if (is_prepared(what, device, variant)) return;
    const current_device scope{device};
    program_on(what, device, variant);
}

bool prepare_from_cache(const recipe& what, int device, const kernel_variant& variant)
{
    if (!is_prepared(what, device, variant)) {
        const current_device scope{device};
        if (!build_on(kernels_of(what), what, device, variant, binary_from::cache)) return false;
    }
    if (blas::is_preferred()) blas::cuda::load_for(what, device);
    return true;
}

void run(const void* kernel, grid_size blocks, unsigned threads, void* parameter, cudaStream_t stream,
         std::size_t shared_bytes)
{
    void* arguments[] = {parameter};
    const dim3 grid{static_cast<unsigned>(blocks.x), static_cast<unsigned>(blocks.y), static_cast<unsigned>(blocks.z)};
    check_call(cudaLaunchKernel(kernel, grid, dim3{threads}, arguments, shared_bytes, stream),
               "cannot launch a kernel");
}

void run(const void* kernel, const grid_size& blocks, unsigned threads, parameter_block& parameter, cudaStream_t stream,
         std::size_t shared_bytes)
{
    if (launch_list* const list = current_list()) list->add(kernel, blocks, threads, parameter, shared_bytes);
    else run(kernel, blocks, threads, parameter.data(), stream, shared_bytes);
}

void run_overlapping(const void* kernel, grid_size blocks, unsigned threads, void* parameter, cudaStream_t stream,
                     std::size_t shared_bytes)
{
    void* arguments[] = {parameter};
    cudaLaunchAttribute early{};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t how{};
    how.gridDim = {static_cast<unsigned>(blocks.x), static_cast<unsigned>(blocks.y), static_cast<unsigned>(blocks.z)};
    how.blockDim = {threads};
    how.dynamicSmemBytes = shared_bytes;
    how.stream = stream;
    how.attrs = &early;
    how.numAttrs = 1;
    check_call(cudaLaunchKernelExC(&how, kernel, arguments), "cannot launch a kernel");
}

} // namespace skelrt::detail::cuda
