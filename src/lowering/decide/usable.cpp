// SPDX-License-Identifier: BSD-3-Clause
#define CL_TARGET_OPENCL_VERSION 120 // before StarPU's header settles on 1.0
#include "src/lowering/decide/usable.hpp"

#include "src/data/managed.hpp"
#include "src/lowering/caller/trial_log.hpp"
#include "src/lowering/checks/device_trust.hpp"
#include "src/lowering/decide/tuning.hpp"
#include "src/lowering/place/scratch.hpp"
#include "src/lowering/place/storages_of.hpp"
#include "src/lowering/plan/told.hpp"
#include "src/model/knowledge.hpp"
#include "src/model/times/model.hpp"
#include "src/runtime/log.hpp"

#include "codelets/cpu/pair_choice.hpp"
#include "src/config.hpp"
#if SKELRT_HAVE_CUDA
#include "codelets/cuda/cuda.hpp"
#include "codelets/cuda/samples.hpp"
#endif
#if SKELRT_HAVE_OPENCL
#include "codelets/opencl/opencl.hpp"
#include <starpu_opencl.h>
#endif

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <string>

namespace skelrt::detail
{

namespace
{

/// All elements that a sort reads and writes; what is sorted in place counts once.
std::size_t bytes_of_sort(const call& c)
{
    std::size_t bytes = 0;
    for (std::size_t k = 0; k < c.site->what.slots.size(); ++k) {
        const storage* s = c.operands[k].data;
        if (!s || !is_elementwise(c.site->what.slots[k].kind)) continue;
        bool counted = false;
        for (std::size_t i = 0; i < k; ++i) counted = counted || c.operands[i].data == s;
        if (!counted) bytes += c.cols * c.site->what.slots[k].size;
    }
    return bytes;
}

/// Of a tile, as the data is cut now, or will be: a row is never cut, however long it is. Others may cut it meanwhile.
std::size_t tile_bytes(const storage& s)
{
    managed_state* const m = s.managed.load(std::memory_order_acquire);
    const std::size_t elements =
        m ? std::atomic_ref(m->tile_elements).load(std::memory_order_relaxed) : tile_elements_for(s, 0);
    return std::min(elements, s.count()) * s.element_size;
}

/// What a task makes for itself: a copy of what it adds to, its part of the sums, or what it hands on to the next.
std::size_t own_bytes(const call& c)
{
    switch (c.site->what.kind) {
    case skeleton::accumulate:
        return c.result.cols * c.site->what.result_size;
    case skeleton::reduce_columns:
    case skeleton::scan_columns:
        return c.cols * c.site->what.result_size;
    default:
        return 0;
    }
}

/// What one device must hold at once at least: whole operands (and their gathered copy), and a tile of each other, with
/// those next to it where functions look around. All, in a sort and a wavefront.
std::size_t least_bytes(const call& c)
{
    constexpr std::size_t with_neighbours = 3;
    std::size_t bytes = c.site->what.kind == skeleton::sort ? bytes_of_sort(c) : own_bytes(c);
    for (std::size_t k = 0; k < c.site->what.slots.size(); ++k) {
        const slot_type& s = c.site->what.slots[k];
        const operand& o = c.operands[k];
        if (!o.data) continue; // a result that is not there yet
        if (read_whole(s.kind)) bytes += 2 * o.data->count() * s.size;
        else if (c.site->what.kind == skeleton::wavefront) bytes += o.data->count() * s.size;
        else if (moves(s.kind) && c.site->what.kind != skeleton::sort)
            bytes += tile_bytes(*o.data) * (has_surroundings(s.kind) ? with_neighbours : 1);
    }
    return bytes;
}

#if SKELRT_HAVE_OPENCL
cl_device_id opencl_id(const target& t)
{
    cl_device_id id = nullptr;
    starpu_opencl_get_device(t.number, &id);
    return id;
}

bool has_doubles(cl_device_id device)
{
    cl_device_fp_config config = 0;
    clGetDeviceInfo(device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof config, &config, nullptr);
    return config != 0;
}

#endif

/// Why a device cannot take the call for its size; empty: it can.
std::string size_refusal(const target& t, const call& c, std::size_t least)
{
    const recipe& r = c.site->what;
    if (r.kind == skeleton::sort) {
        constexpr std::size_t most_positions = ~std::uint32_t{0}; // sort_by_key: as 32-bit numbers
        if (sorts_by_key(r) && c.cols > most_positions)
            return fmt::format("sorts at most {} elements by key", most_positions);
    }
    const target* const device = &t;
    least += scratch_bytes_for({&device, 1}, r, 0, c.rows * c.cols, c.cols);
    if (t.memory == 0 || least <= t.memory / 10 * 9) return {};
    return fmt::format("needs {} MiB at once, the device has {} MiB", least >> 20, t.memory >> 20);
}

/// Those of a stencil's kernel in one pass: half steps are made one by one.
[[maybe_unused]] unsigned steps_of_kernel(const call& c) { return c.color >= 0 ? 1 : c.steps; }

#if SKELRT_HAVE_CUDA
cuda::kernel_variant variant_of(const call& c, unsigned block) { return {steps_of_kernel(c), c.color >= 0, block}; }
#endif

/// The kernels that a call wants of a device.
refused_way way_of(const target& t, const call& c, const plan_range* obeyed)
{
    refused_way way{c.site->what.id, t.kind, t.number};
    if (c.site->what.kind == skeleton::stencil) way.steps = steps_of_kernel(c), way.colored = c.color >= 0;
    if (t.kind == device::cuda && obeyed) way.block = block_of(*obeyed, t);
    return way;
}

/// Builds the kernels. Throws error, when a compiler refuses the function, or the device the kernels.
void build_kernels(const target& t, const call& c, const refused_way& way)
{
    const recipe& r = c.site->what;
    static_cast<void>(r), static_cast<void>(way);
    switch (t.kind) {
#if SKELRT_HAVE_CUDA
    case device::cuda:
        cuda::reserve_samples(t.number);
        return cuda::prepare(r, t.number, variant_of(c, way.block));
#endif
#if SKELRT_HAVE_OPENCL
    case device::opencl: {
        cl_device_id id = opencl_id(t);
        cl_context context;
        starpu_opencl_get_context(t.number, &context);
        if (const auto reason = opencl::refusal(r, has_doubles(id))) throw function_error(*reason);
        return opencl::prepare(r, context, id, steps_of_kernel(c));
    }
#endif
    default:
        return;
    }
}

/// Builds the kernels; the reason if the device cannot run the call. Compilers for devices know less C++ than the
/// host's: the other devices go on, with one warning.
std::string prepare(const target& t, const call& c, const plan_range* obeyed)
{
    const recipe& r = c.site->what;
    if (trust_in(r, t.kind) == trust::broken)
        return fmt::format("its function gives other values on {} than on the host", kind_name(t.kind));
    const refused_way way = way_of(t, c, obeyed);
    if (const auto known = find_refusal(r, way)) return *known;
    try {
        build_kernels(t, c, way);
        return {};
    } catch (const error& refused) {
        note_refusal(r, way, refused.what());
        return refused.what();
    }
}

} // namespace

namespace
{

/// Those of the engine's devices that can run the call; `obeyed`: of those that it names. Why others cannot goes to
/// `reasons`.
std::vector<const target*> find_usable(const engine& e, const call& c, device_set kinds, const plan_range* obeyed,
                                       std::string& reasons)
{
    const recipe& r = c.site->what;
    const std::size_t n = c.rows * c.cols * c.depth, least = least_bytes(c);
    bool cpu_is_enough = false;
    std::vector<const target*> usable;
    for (const target& t : e.devices().targets()) {
        if (!kinds.has(t.kind) || (obeyed && !names(*obeyed, t))) continue;
        if (t.kind == device::cpu) {
            usable.push_back(&t);
            cpu::prepare_pairs(r);
            const double us =
                e.learnt.models
                    .predict(r, executor::team, n * c.steps, c.site->core.near(n * c.steps), e.devices().cores())
                    .at(n * c.steps);
            cpu_is_enough =
                !obeyed && !e.devices().policy_places() && us < tuning::not_worth_a_gpu_us && !used_by_tasks(c);
            continue;
        }
        if (cpu_is_enough) continue;
        std::string reason = size_refusal(t, c, least);
        if (reason.empty()) reason = prepare(t, c, obeyed);
        if (reason.empty()) usable.push_back(&t);
        else reasons += fmt::format("{}{}", reasons.empty() ? "" : "; ", reason);
    }
    return usable;
}

/// The devices of an execution plan; nothing in a trial that cannot obey it.
std::vector<const target*> named_targets(const engine& e, const call& c, device_set kinds, const plan_range& obeyed)
{
    std::string reason = refusal(obeyed, e, c, kinds), reasons;
    std::vector<const target*> usable;
    if (reason.empty()) usable = find_usable(e, c, kinds, &obeyed, reasons);
    if (reason.empty() && usable.size() < obeyed.shares.size())
        reason = "asks for a device that cannot run it: " + reasons;
    if (reason.empty()) return usable;
    if (!e.wanted.is_trial) throw_refusal(c, reason);
    note_disobedience();
    return {};
}

} // namespace

std::vector<const target*> usable_targets(const engine& e, const call& c, request& r)
{
    const device_set kinds = r.may_use.kinds;
    if (r.obeyed)
        if (auto named = named_targets(e, c, kinds, *r.obeyed); !named.empty()) return named;
    r.obeyed = nullptr;
    std::string reasons;
    auto usable = find_usable(e, c, kinds, nullptr, reasons);
    std::erase_if(usable, [&](const target* t) { return !r.may_use.has(*t); });
    if (usable.empty())
        throw function_error(fmt::format("{} on {} x {} elements: no device that the call may use can run it: {}",
                                         c.site->what.name, c.rows, c.cols,
                                         reasons.empty() ? "none is in use" : reasons));
    return usable;
}

bool is_ready_for_cuda(const engine& e, const call& c)
{
    if (trust_in(c.site->what, device::cuda) == trust::broken) return false;
    return std::ranges::any_of(e.devices().targets(), [&](const target& t) {
#if SKELRT_HAVE_CUDA
        return t.kind == device::cuda && cuda::is_prepared(c.site->what, t.number, variant_of(c, 0));
#else
        static_cast<void>(t);
        return false;
#endif
    });
}

unsigned steps_of_pass(const std::vector<const target*>& targets, const recipe& r, unsigned most, bool forced)
{
    static_cast<void>(r), static_cast<void>(forced);
    for (const target* t : targets) {
        static_cast<void>(t);
#if SKELRT_HAVE_CUDA
        if (t->kind == device::cuda) most = cuda::steps_of_pass(r, most, forced);
#endif
#if SKELRT_HAVE_OPENCL
        if (t->kind == device::opencl) most = opencl::steps_of_pass(r, opencl_id(*t), most, forced);
#endif
    }
    return most;
}

namespace
{

/// What was seen, within what 16 lanes of PCIe 5 bring: faster links are not told to be slow.
double believable_rate(const target& t) noexcept
{
    return std::min(engine::current()->learnt.links.seen(t.index), 64e3);
}

} // namespace

double rate_to(const target& t) noexcept { return std::max(t.to_device, believable_rate(t)); }
double rate_from(const target& t) noexcept { return std::max(t.from_device, believable_rate(t)); }

} // namespace skelrt::detail
