// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/opencl/opencl.hpp"

#include "codelets/blas/clblast.hpp"
#include "codelets/index_fault.hpp"
#include "codelets/opencl/kernels.hpp"
#include "codelets/opencl/skeletons.hpp"
#include "src/jit/opencl.hpp"

namespace skelrt::detail::opencl
{

std::optional<std::string> refusal(const recipe& what, bool device_has_fp64) { return why_not(what, device_has_fp64); }

void prepare(const recipe& what, cl_context context, cl_device_id device, const kernel_variant& variant)
{
    if (!kernels_for(what, context, device, variant).is_cpu) blas::opencl::prepare(what, context, device);
}

bool prepare_from_cache(const recipe& what, cl_context context, cl_device_id device, const kernel_variant& variant)
{
    const kernels* const found = find_kernels(what, context, device, variant);
    if (found && !found->is_cpu) blas::opencl::prepare(what, context, device);
    return found != nullptr;
}

bool is_prepared(const recipe& what, cl_context context, cl_device_id device, const kernel_variant& variant)
{
    return are_built(what, context, device, variant);
}

unsigned steps_of_pass(const recipe& what, cl_device_id device, unsigned most, bool forced)
{
    const auto bytes = device_number<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE);
    if (!forced) return steps_of_tile(what, most, bytes);
    while (most > 1 && !tile_fits(what, most, bytes)) --most;
    return most;
}

std::size_t scratch_bytes(const recipe& what, std::size_t elements, std::size_t columns)
{
    if (elements == 0) return 0;
    switch (what.kind) {
    case skeleton::accumulate:
        return accumulate_scratch(what);
    case skeleton::filter:
        return filter_scratch();
    case skeleton::reduce:
        return reduce_scratch(what);
    case skeleton::reduce_columns:
        return columns_scratch(what, columns);
    case skeleton::scan:
    case skeleton::scan_columns:
        return scan_scratch(what, columns);
    case skeleton::sort:
        return sort_scratch_bytes(what, elements);
    case skeleton::map:
    case skeleton::stencil:
    case skeleton::all_pairs:
    case skeleton::reduce_rows:
    case skeleton::scan_rows:
    case skeleton::wavefront:
        break;
    }
    return 0;
}

namespace
{

void launch_kernels(const work& what, cl_context context, cl_device_id device, cl_command_queue queue)
{
    auto& k = kernels_for(what.what, context, device, {what.steps, what.block});
    switch (what.what.kind) {
    case skeleton::all_pairs:
        launch_all_pairs(what, k, queue);
        break;
    case skeleton::map:
        if (!launch_row_sums(what, k, queue)) launch_map(what, k, queue);
        break;
    case skeleton::stencil:
        launch_stencil(what, k, queue);
        break;
    case skeleton::accumulate:
        launch_accumulate(what, k, queue);
        break;
    case skeleton::filter:
        launch_filter(what, k, queue);
        break;
    case skeleton::reduce:
        launch_reduce(what, k, queue);
        break;
    case skeleton::reduce_rows:
        launch_rows(what, k, queue);
        break;
    case skeleton::reduce_columns:
        launch_columns(what, k, queue);
        break;
    case skeleton::scan:
        launch_scan(what, k, queue);
        break;
    case skeleton::scan_rows:
        launch_scan_rows(what, k, queue);
        break;
    case skeleton::scan_columns:
        launch_scan_columns(what, k, queue);
        break;
    case skeleton::sort:
        launch_sort(what, k, queue);
        break;
    case skeleton::wavefront:
        launch_wavefront(what, k, queue);
        break;
    }
}

/// Memory for the first index that a launch finds outside.
class fault_memory
{
public:
    explicit fault_memory(cl_context context)
    {
        index_fault none{};
        cl_int error = CL_SUCCESS;
        memory_ = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof(none), &none, &error);
        check(error, "clCreateBuffer", "the check of indices");
        fault_of_launch = memory_;
    }
    fault_memory(const fault_memory&) = delete;
    fault_memory& operator=(const fault_memory&) = delete;
    ~fault_memory() { clReleaseMemObject(memory_); }

    /// Waits for the kernels; throws what they found.
    void look(const recipe& what, cl_command_queue queue) const
    {
        index_fault found{};
        check(clEnqueueReadBuffer(queue, memory_, CL_TRUE, 0, sizeof(found), &found, 0, nullptr, nullptr),
              "clEnqueueReadBuffer", what.name);
        if (found.found != 0) throw_index_fault(what, found);
    }

private:
    cl_mem memory_ = nullptr;
};

} // namespace

void launch(const work& what, cl_context context, cl_device_id device, cl_command_queue queue)
{
    if (!checks_indices(what.what)) return launch_kernels(what, context, device, queue);
    const fault_memory found(context);
    launch_kernels(what, context, device, queue);
    found.look(what.what, queue);
}

void copy(cl_mem to, std::size_t to_offset, cl_mem from, std::size_t from_offset, std::size_t bytes,
          cl_command_queue queue)
{
    if (bytes == 0) return;
    check(clEnqueueCopyBuffer(queue, from, to, from_offset, to_offset, bytes, 0, nullptr, nullptr),
          "clEnqueueCopyBuffer", "a copy on the device");
}

void write(cl_mem to, std::size_t to_offset, const void* from, std::size_t bytes, cl_command_queue queue)
{
    if (bytes == 0) return;
    check(clEnqueueWriteBuffer(queue, to, CL_TRUE, to_offset, bytes, from, 0, nullptr, nullptr), "clEnqueueWriteBuffer",
          "a copy to the device");
}

void read(void* to, cl_mem from, std::size_t from_offset, std::size_t bytes, cl_command_queue queue)
{
    if (bytes == 0) return;
    check(clEnqueueReadBuffer(queue, from, CL_FALSE, from_offset, bytes, to, 0, nullptr, nullptr),
          "clEnqueueReadBuffer", "a copy to the host");
}

} // namespace skelrt::detail::opencl
