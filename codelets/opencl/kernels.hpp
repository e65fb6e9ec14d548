// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/opencl/api.hpp"
#include "codelets/work.hpp"

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

/// The kernels of one recipe on one device, and how to call them.
namespace skelrt::detail::opencl
{

struct kernels {
    cl_context context;
    cl_device_id device;
    bool is_cpu; ///< a CPU, in groups of one work-item
    std::size_t compute_units;
    std::size_t local; ///< work-items of a group in reductions, a power of two
    kernel_variant variant;
    bool checked;            ///< stencils: hoods read elements where they lie, for want of local memory
    std::size_t local_bytes; ///< local memory of a compute unit
    std::size_t run;         ///< consecutive elements that one work-item of such a group folds at a time
    std::map<std::string, cl_kernel, std::less<>> by_name;
    std::mutex mutex; ///< a kernel object holds the arguments of its next run: one caller at a time

    /// Work-items of a group, where a GPU usually has so many.
    std::size_t items(std::size_t usual) const { return variant.block > 0 ? variant.block : usual; }
};

/// Where the kernels of the calling thread's launch write down an index that asks for what is not there:
/// SKELRT_CHECK=bounds.
extern thread_local cl_mem fault_of_launch;

/// For tests: kernels described from now on take every device for a GPU, so that a machine without one tests that way,
/// too.
void treat_as_gpu(bool yes);

/// The built kernels of a recipe; builds them if need be. They stay until the process ends.
kernels& kernels_for(const recipe& what, cl_context context, cl_device_id device, const kernel_variant& variant = {});

/// The same without a compiler; null: the cache on disk has none.
kernels* find_kernels(const recipe& what, cl_context context, cl_device_id device, const kernel_variant& variant);
bool are_built(const recipe& what, cl_context context, cl_device_id device, const kernel_variant& variant);

/// See refusal() of opencl.hpp.
std::optional<std::string> why_not(const recipe& what, bool device_has_fp64);

/// Groups whose values a kernel behind theirs joins: scratch has room for so many.
constexpr std::size_t most_groups = 8192;
/// Work groups that walk over n elements.
std::size_t groups_for(std::size_t n, const kernels& k);

/// Rows that are as long go to groups of so many work-items, on a GPU.
constexpr std::size_t long_row = 64, row_group = 64;

/// Parts of a segment's rows, of each of which every column has a value in scratch: enough to occupy the device, at
/// least 16 rows in each, and as many as scratch has room for at most.
std::size_t column_parts_for(const segment& s, const kernels& k);
std::size_t most_column_parts(std::size_t columns);

/// What a result begins with.
enum class front : std::size_t {
    nothing,
    start,  ///< the start value
    stored, ///< what the result holds already
};
inline front front_of(const work& w, bool stored)
{
    return stored ? front::stored : w.start ? front::start : front::nothing;
}

/// One run of a kernel: arguments in order, then enqueue(). Holds the lock of the kernels.
class kernel_run
{
public:
    kernel_run(kernels& all, std::string_view name, const recipe& what);

    /// Of each accumulator the groups change so many copies, which follow each other there, rather than the result.
    kernel_run& adds_to(const slot_view& copies, std::size_t count);
    /// Operands of segment s and its place; `flat` counts the segment as one row.
    kernel_run& segment_of(const work& w, std::size_t s, bool flat);
    kernel_run& buffer(const slot_view& view); ///< the buffer and the offset
    kernel_run& number(std::size_t value);     ///< as ulong
    kernel_run& local(std::size_t size) { return bytes(nullptr, size); }
    kernel_run& bytes(const void* data, std::size_t size);
    kernel_run& in_front(front which, const void* start); ///< FRONT_PARAMETERS
    void enqueue(cl_command_queue queue, std::array<std::size_t, 2> global, std::array<std::size_t, 2> local);

private:
    void slot(const slot_type& type, const slot_view& view);
    void hood(const slot_type& type, const slot_view& view, const hood_view& around, const work& w);

    std::lock_guard<std::mutex> lock_;
    cl_kernel kernel_;
    cl_uint next_ = 0;
    slot_view added_to_{};
    std::size_t copies_ = 1;
    const recipe& what_;
};

/// A work-item for each of so many rows or columns, on a GPU.
void enqueue_lines(kernel_run& run, std::size_t lines, const kernels& k, cl_command_queue queue);

/// Whether every element operand of segment s lies dense, so that rows follow one another without a gap, and positions,
/// where a function asks for them, count on as well.
bool is_flat(const work& w, std::size_t s);

} // namespace skelrt::detail::opencl
