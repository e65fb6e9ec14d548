// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/opencl/kernels.hpp"

#include "codelets/index_fault.hpp"
#include "codelets/opencl/skeletons.hpp"
#include "codelets/opencl/source.hpp"
#include "src/function/opencl/opencl.hpp"
#include "src/jit/opencl.hpp"

#include <skelrt/error.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include <fmt/format.h>

namespace skelrt::detail::opencl
{
namespace
{

std::atomic<bool> all_are_gpus{false};

/// What OpenCL remembers of a recipe.
struct recipe_state {
    std::mutex mutex;
    std::optional<translation> functions;
    std::string double_refusal;
    std::string build_failure;
    std::vector<std::unique_ptr<kernels>> devices;
};

recipe_state& state_of(const recipe& what)
{
    auto* known = static_cast<recipe_state*>(what.opencl_kernels.load(std::memory_order_acquire));
    if (known != nullptr) return *known;
    auto fresh = std::make_unique<recipe_state>();
    void* expected = nullptr;
    if (what.opencl_kernels.compare_exchange_strong(expected, fresh.get(), std::memory_order_acq_rel))
        return *fresh.release();
    return *static_cast<recipe_state*>(expected);
}

/// With the state locked.
const translation& functions_of(recipe_state& state, const recipe& what)
{
    if (!state.functions) {
        state.functions = translate(what);
        if (!state.functions->double_use.empty())
            state.double_refusal = translate(what, line_numbers::users_file).double_use +
                                   " needs double precision, which the device lacks";
    }
    return *state.functions;
}

std::optional<std::string> reason_against(recipe_state& state, const recipe& what, bool has_fp64)
{
    const auto& functions = functions_of(state, what);
    if (!functions.refusal.empty()) return functions.refusal;
    if (!has_fp64 && !state.double_refusal.empty()) return state.double_refusal;
    if (!state.build_failure.empty()) return state.build_failure;
    return std::nullopt;
}

bool has_fp64(cl_device_id device)
{
    return device_number<cl_device_fp_config>(device, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
}

/// Of a tile in local memory, with its gaps and what else is kept there: for each work-item, of so long runs.
constexpr std::size_t tile_values(std::size_t run) { return run + 2; }

bool has_tiles(const recipe& what) { return is_scan(what.kind) || what.kind == skeleton::filter; }

/// Values in local memory for each work-item of a group, at least.
std::size_t values_of_item(const recipe& what) { return has_tiles(what) ? tile_values(1) : 1; }

/// A power of two, small enough for the device's groups and for a tree of results in its local memory.
std::size_t local_size(cl_device_id device, std::size_t result_size)
{
    const auto most = std::min<std::size_t>(device_number<std::size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE), 256);
    const auto memory = device_number<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE) / 2;
    std::size_t local = 1;
    while (local * 2 <= most && local * 2 * result_size <= memory) local *= 2;
    return local;
}

/// Of reductions and scans, and of filters, whose tiles of runs lie in local memory.
std::size_t run_length(const recipe& what, const kernels& k)
{
    std::size_t run = 8;
    while (has_tiles(what) && run > 1 && k.local * tile_values(run) * what.result_size > k.local_bytes / 2) run /= 2;
    return run;
}

/// That a group of so many work-items wants at least.
std::size_t least_local_bytes(const recipe& what, unsigned block)
{
    switch (what.kind) {
    case skeleton::map:
    case skeleton::wavefront:
        return 0;
    case skeleton::all_pairs:
        return pair_local_bytes(what, block);
    case skeleton::sort:
        return sort_local_bytes(what, block);
    default:
        return block * values_of_item(what) * what.result_size * (has_tiles(what) ? 1 : 2);
    }
}

/// As a plan asks for; throws error if the device cannot.
std::size_t asked_size(const recipe& what, cl_device_id device, unsigned block)
{
    const auto most = device_number<std::size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    if (block > most)
        throw error(fmt::format("{}: groups of {} work-items; the device has at most {}", what.name, block, most));
    const auto local_bytes = device_number<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE);
    if (least_local_bytes(what, block) > local_bytes)
        throw error(fmt::format("{}: the device has no local memory for groups of {} work-items", what.name, block));
    return block;
}

std::unique_ptr<kernels> describe(const recipe& what, cl_context context, cl_device_id device,
                                  const kernel_variant& variant)
{
    const unsigned steps = variant.steps;
    auto k = std::make_unique<kernels>();
    k->variant = variant;
    k->local_bytes = device_number<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE);
    k->checked = what.kind == skeleton::stencil && !tile_fits(what, steps, k->local_bytes);
    if (k->checked && !what.hood_maps.empty())
        throw error(
            fmt::format("{}: the device has {} bytes of local memory, too few for a map under a hood; evaluate the "
                        "map first (SKELRT_FUSION=0, or assign it to a container)",
                        what.name, k->local_bytes));
    if (k->checked && steps > 1)
        throw error(
            fmt::format("{}: a tile for {} steps takes more than the {} bytes of local memory; do them one by one",
                        what.name, steps, k->local_bytes));
    k->context = context;
    k->device = device;
    k->is_cpu = !all_are_gpus && variant.block == 0 &&
                (device_number<cl_device_type>(device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0;
    k->compute_units = device_number<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS);
    // On a CPU a group runs on one core anyway: one item that folds long runs needs no barriers.
    if (variant.block > 0) k->local = asked_size(what, device, variant.block);
    else k->local = k->is_cpu ? 1 : local_size(device, std::max(what.result_size, 1u) * values_of_item(what));
    k->run = k->is_cpu ? 128 : run_length(what, *k);
    return k;
}

std::string options_for(const recipe& what, const kernels& k)
{
    auto options = fmt::format("-cl-std=CL1.2 -DLOCAL={}ul -DRUN={}ul", k.local, k.run);
    if (k.is_cpu) options += " -DSKELRT_CPU";
    if (k.variant.block > 0) options += " -DROW_LOCAL=LOCAL";
    if (what.kind == skeleton::stencil) options += stencil_options(what, k.variant.steps, k.checked);
    if (what.kind == skeleton::all_pairs) options += pair_options(what, k.items(pair_group));
    if (what.kind == skeleton::sort) options += sort_options(what, k.variant.block);
    const auto single = device_number<cl_device_fp_config>(k.device, CL_DEVICE_SINGLE_FP_CONFIG);
    // as C++ and CUDA do it; otherwise a quotient may be 2.5 units in the last place off
    if ((single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0) options += " -cl-fp32-correctly-rounded-divide-sqrt";
    return options;
}

/// A failed build is repeated with the line breaks of the user's file, so that the compiler's log has the true lines.
cl_program build(recipe_state& state, const recipe& what, const kernels& k)
{
    const auto options = options_for(what, k);
    try {
        return build_program(k.context, k.device, program_source(what, *state.functions), options, what.name);
    } catch (const function_error& first) {
        state.build_failure = first.what();
    }
    try {
        const auto with_lines = translate(what, line_numbers::users_file);
        auto* unexpected = build_program(k.context, k.device, program_source(what, with_lines), options, what.name);
        state.build_failure.clear();
        return unexpected;
    } catch (const function_error& second) {
        state.build_failure = second.what();
        throw;
    }
}

kernels* find_known(const recipe_state& state, cl_context context, cl_device_id device, const kernel_variant& variant)
{
    const auto it = std::ranges::find_if(state.devices, [&](const auto& k) {
        return k->context == context && k->device == device && k->variant == variant;
    });
    return it == state.devices.end() ? nullptr : it->get();
}

enum class program_from : std::uint8_t { cache, compiler };

/// Null: the cache has none.
kernels* build_for(recipe_state& state, const recipe& what, cl_context context, cl_device_id device,
                   const kernel_variant& variant, program_from from)
{
    if (kernels* const known = find_known(state, context, device, variant)) return known;
    if (const auto reason = reason_against(state, what, has_fp64(device))) throw function_error(*reason);
    auto k = describe(what, context, device, variant);
    // The program keeps the context alive, and with it the address that we compare: never released.
    auto* program = from == program_from::compiler
                        ? build(state, what, *k)
                        : find_program(context, device, program_source(what, *state.functions), options_for(what, *k));
    if (!program) return nullptr;
    for (const auto& name : kernel_names(what)) {
        cl_int error = CL_SUCCESS;
        k->by_name[name] = clCreateKernel(program, name.c_str(), &error);
        check(error, "clCreateKernel", what.name);
    }
    state.devices.push_back(std::move(k));
    return state.devices.back().get();
}

} // namespace

thread_local cl_mem fault_of_launch = nullptr;

void treat_as_gpu(bool yes) { all_are_gpus = yes; }

kernels& kernels_for(const recipe& what, cl_context context, cl_device_id device, const kernel_variant& variant)
{
    auto& state = state_of(what);
    const std::lock_guard lock(state.mutex);
    return *build_for(state, what, context, device, variant, program_from::compiler);
}

kernels* find_kernels(const recipe& what, cl_context context, cl_device_id device, const kernel_variant& variant)
{
    auto& state = state_of(what);
    const std::lock_guard lock(state.mutex);
    return build_for(state, what, context, device, variant, program_from::cache);
}

bool are_built(const recipe& what, cl_context context, cl_device_id device, const kernel_variant& variant)
{
    auto& state = state_of(what);
    const std::lock_guard lock(state.mutex);
    return find_known(state, context, device, variant) != nullptr;
}

std::optional<std::string> why_not(const recipe& what, bool device_has_fp64)
{
    auto& state = state_of(what);
    const std::lock_guard lock(state.mutex);
    return reason_against(state, what, device_has_fp64);
}

kernel_run::kernel_run(kernels& all, std::string_view name, const recipe& what)
    : lock_(all.mutex), kernel_(all.by_name.find(name)->second), what_(what)
{
}

kernel_run& kernel_run::bytes(const void* data, std::size_t size)
{
    check(clSetKernelArg(kernel_, next_++, size, data), "clSetKernelArg", what_.name);
    return *this;
}

kernel_run& kernel_run::in_front(front which, const void* start)
{
    const std::string nothing(what_.result_size, '\0');
    bytes(start ? start : nothing.data(), what_.result_size);
    return number(static_cast<std::size_t>(which));
}

kernel_run& kernel_run::number(std::size_t value)
{
    const cl_ulong wide = value;
    return bytes(&wide, sizeof(wide));
}

kernel_run& kernel_run::buffer(const slot_view& view)
{
    auto* memory = static_cast<cl_mem>(view.data);
    return bytes(&memory, sizeof(memory)).number(view.offset);
}

void kernel_run::slot(const slot_type& type, const slot_view& view)
{
    switch (type.kind) {
    case slot_kind::element:
    case slot_kind::output:
    case slot_kind::row_element:
    case slot_kind::column_element:
        buffer(view).number(view.ld).number(view.stride);
        break;
    case slot_kind::uniform:
    case slot_kind::mapped_hood: // the border's value
        bytes(view.data, type.size);
        break;
    case slot_kind::scalar:
        buffer(view);
        break;
    case slot_kind::vec:
        buffer(view).number(view.cols);
        break;
    case slot_kind::accumulator:
        buffer(copies_ > 1 ? added_to_ : view).number(view.cols).number(copies_);
        added_to_.offset = end_of_part(added_to_.offset, copies_ * view.cols * type.size);
        break;
    case slot_kind::row_vec:
    case slot_kind::column_vec:
        buffer(view).number(view.cols).number(view.ld).number(view.stride);
        break;
    case slot_kind::mat:
        buffer(view).number(view.rows).number(view.cols).number(view.ld);
        break;
    case slot_kind::hood:
    case slot_kind::hood_source:
        break; // the kernels of stencils pass theirs
    }
}

/// Lines that are not there are given as the elements themselves: a kernel's buffer must be one.
void kernel_run::hood(const slot_type& type, const slot_view& view, const hood_view& around, const work& w)
{
    buffer(view);
    for (const slot_view& lines : {around.before, around.after})
        buffer(lines.data != nullptr ? lines : view).number(lines.data != nullptr ? 1 : 0);
    const cl_int cut = cut_axis(w);
    number(w.grid[1]).number(w.grid[2]).bytes(&cut, sizeof(cut));
    if (what_.stencil.border == border_rule::constant && type.kind == slot_kind::hood)
        bytes(around.border_value, type.size);
}

kernel_run& kernel_run::adds_to(const slot_view& copies, std::size_t count)
{
    added_to_ = copies;
    copies_ = count;
    return *this;
}

kernel_run& kernel_run::segment_of(const work& w, std::size_t s, bool flat)
{
    for (std::size_t k = 0, h = s * count_hoods(what_); k < what_.slots.size(); ++k)
        if (has_surroundings(what_.slots[k].kind)) hood(what_.slots[k], w.slot(s, k), w.hoods[h++], w);
        else slot(what_.slots[k], w.slot(s, k));
    const auto& where = w.segments[s];
    number(flat ? 1 : where.rows).number(flat ? where.rows * where.cols : where.cols);
    number(where.row0).number(where.col0).number(w.width.cols).number(w.width.line).number(w.width.plane);
    if (checks_indices(what_)) bytes(&fault_of_launch, sizeof(fault_of_launch));
    return *this;
}

void kernel_run::enqueue(cl_command_queue queue, std::array<std::size_t, 2> global, std::array<std::size_t, 2> local)
{
    check(clEnqueueNDRangeKernel(queue, kernel_, 2, nullptr, global.data(), local.data(), 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel", what_.name);
}

namespace
{

bool positions_are_flat(const work& w, const segment& where)
{
    bool index1 = false, index2 = false;
    for (const auto& call : w.what.calls)
        for (const auto& a : call.arguments) {
            index1 = index1 || a.kind == argument_kind::index1 || a.kind == argument_kind::random;
            index2 = index2 || a.kind == argument_kind::index2 || a.kind == argument_kind::index3 ||
                     a.kind == argument_kind::index4;
        }
    return where.rows == 1 || (!index2 && (!index1 || where.cols == w.width));
}

} // namespace

std::size_t groups_for(std::size_t n, const kernels& k)
{
    const auto tile = k.local * k.run;
    const auto most = k.is_cpu ? 4 * k.compute_units : 16 * k.compute_units;
    return std::clamp<std::size_t>((n + tile - 1) / tile, 1, std::min(most, most_groups));
}

std::size_t most_column_parts(std::size_t columns)
{
    constexpr std::size_t most_values = 1 << 18; // if there are fewer columns
    return std::clamp<std::size_t>(most_values / std::max<std::size_t>(columns, 1), 1, 4096);
}

std::size_t column_parts_for(const segment& s, const kernels& k)
{
    // On a CPU, what one item sums is not to be long: each addition rounds.
    const auto wanted =
        k.is_cpu ? std::max(k.compute_units, s.rows / 128) : (2048 * k.compute_units + s.cols - 1) / s.cols;
    return std::clamp<std::size_t>(std::min(wanted, s.rows / 16), 1, most_column_parts(s.cols));
}

void enqueue_lines(kernel_run& run, std::size_t lines, const kernels& k, cl_command_queue queue)
{
    const std::size_t group = k.items(64);
    run.enqueue(queue, {std::min((lines + group - 1) / group, 64 * k.compute_units) * group, 1}, {group, 1});
}

bool is_flat(const work& w, std::size_t s)
{
    const auto& where = w.segments[s];
    for (std::size_t k = 0; k < w.what.slots.size(); ++k) {
        if (!moves(w.what.slots[k].kind)) continue;
        if (w.what.slots[k].kind != slot_kind::element && w.what.slots[k].kind != slot_kind::output) {
            if (where.rows > 1) return false; // operands of pairs know rows from columns
            continue;
        }
        const auto& view = w.slot(s, k);
        if (view.stride != 1 && where.cols > 1) return false;
        if (view.ld != where.cols && where.rows > 1) return false;
    }
    return positions_are_flat(w, where);
}

} // namespace skelrt::detail::opencl
