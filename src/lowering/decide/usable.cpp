// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/decide/usable.hpp"

#include "src/data/managed.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/lowering/caller/trial_log.hpp"
#include "src/lowering/checks/device_trust.hpp"
#include "src/lowering/decide/choices.hpp"
#include "src/lowering/decide/kernels/device_kernels.hpp"
#include "src/lowering/decide/kernels/kernel_builder.hpp"
#include "src/lowering/decide/tuning.hpp"
#include "src/lowering/place/scratch.hpp"
#include "src/lowering/place/storages_of.hpp"
#include "src/lowering/plan/others_work.hpp"
#include "src/lowering/plan/told.hpp"
#include "src/lowering/traits.hpp"
#include "src/model/knowledge.hpp"
#include "src/model/times/model.hpp"
#include "src/runtime/cores/compute_right.hpp"
#include "src/runtime/log.hpp"

#include "codelets/accumulated.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

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
        return accumulated_values(c.site->what, c.operands) * c.site->what.result_size;
    case skeleton::reduce_columns:
    case skeleton::scan_columns:
        return c.cols * c.site->what.result_size;
    default:
        return 0;
    }
}

/// Of a whole operand: its tiles, and where these do not lie in one piece, a copy that does.
std::size_t bytes_of_whole(engine& e, const storage& s, const target& t)
{
    const std::size_t bytes = s.count() * s.element_size;
    const std::unique_lock lock(e.order);
    const managed_state* const m = s.managed.load(std::memory_order_acquire);
    return m && lies_in_one_piece(*m, t.node) ? bytes : 2 * bytes;
}

/// What one device must hold at once at least: whole operands (and their gathered copy), and a tile of each other, with
/// those next to it where functions look around. All, in a sort and a wavefront.
std::size_t least_bytes(engine& e, const call& c, const target& t)
{
    constexpr std::size_t with_neighbours = 3;
    std::size_t bytes = c.site->what.kind == skeleton::sort ? bytes_of_sort(c) : own_bytes(c);
    for (std::size_t k = 0; k < c.site->what.slots.size(); ++k) {
        const slot_type& s = c.site->what.slots[k];
        const operand& o = c.operands[k];
        if (!o.data) continue; // a result that is not there yet
        if (read_whole(s.kind)) bytes += bytes_of_whole(e, *o.data, t);
        else if (c.site->what.kind == skeleton::wavefront) bytes += o.data->count() * s.size;
        else if (moves(s.kind) && c.site->what.kind != skeleton::sort)
            bytes += tile_bytes(*o.data) * (has_surroundings(s.kind) ? with_neighbours : 1);
    }
    return bytes;
}

/// Why a device cannot take the call for its size; empty: it can.
std::string size_refusal(engine& e, const target& t, const call& c)
{
    const recipe& r = c.site->what;
    if (r.kind == skeleton::sort) {
        constexpr std::size_t most_positions = ~std::uint32_t{0}; // sort_by_key: as 32-bit numbers
        if (sorts_by_key(r) && c.cols > most_positions)
            return fmt::format("sorts at most {} elements by key", most_positions);
    }
    const target* const device = &t;
    const std::size_t least = least_bytes(e, c, t) + scratch_bytes_for({&device, 1}, r, 0, c.rows * c.cols, c.cols);
    if (t.memory == 0 || least <= t.memory / 10 * 9) return {};
    return fmt::format("needs {} MiB at once, the device has {} MiB", least >> 20, t.memory >> 20);
}

/// A call's devices, of those that it may use.
struct found_devices {
    std::vector<const target*> usable;
    std::vector<device_kernels> unbuilt; ///< of others that could run it
    std::string reasons;                 ///< why the rest cannot
    double cores_us = 0;                 ///< that the cores would take
    double lost_us = 0;                  ///< by doing without kernels that are not loaded

    void add_reason(const std::string& why) { reasons += (reasons.empty() ? "" : "; ") + why; }
};

/// That the calling thread's calls can have beside other items.
double part_of_cores(const engine& e)
{
    const unsigned cores = e.devices().cores();
    return static_cast<double>(compute_right::cores_left(cores)) / cores;
}

double us_on_cores(const engine& e, const call& c)
{
    const std::size_t n = c.rows * c.cols * c.depth * c.steps;
    const double core_ns = c.site->core.near(n);
    const estimate team = e.learnt.models.predict(c.site->what, executor::team, n, core_ns, e.devices().cores());
    return on_cores_left(e, team.at(n), core_ns * 1e-3 * static_cast<double>(n));
}

double bytes_of(const storage& s) { return static_cast<double>(s.count()) * static_cast<double>(s.element_size); }

/// How likely the host wants the results before another call does. `until_known` where nobody knows.
double goes_home(engine& e, const call& c, double until_known)
{
    const std::unique_lock lock(e.order);
    return e.learnt.usage.goes_home(c.site->what.id, until_known);
}

/// What the cores make has to be pinned if later calls want it on a GPU after all.
std::vector<kernel_builder::unpinned> memory_to_pin(engine& e, const call& c)
{
    const double stays = 1 - goes_home(e, c, 0);
    std::vector<kernel_builder::unpinned> all;
    for_each_container(c, [&](const operand& o, bool written) {
        if (written && !host_part(*o.data).memory.pinned)
            all.push_back({o.data->data, stays * bytes_of(*o.data) / tuning::pinned_bytes_per_us});
    });
    return all;
}

double us_on(const engine& e, const call& c, const target& gpu)
{
    const std::size_t n = c.rows * c.cols * c.depth * c.steps;
    return e.learnt.models.predict(c.site->what, runner_of(gpu), n, c.site->core.near(n), e.devices().cores()).at(n);
}

/// What the call gains by a GPU, which takes `gpu_us`, beside the devices that can do it now.
double gain_by(const engine& e, const call& c, double gpu_us, const found_devices& found)
{
    const bool shared = !traits_of(c.site->what.kind).for_one_device;
    double rate = 0; // of the GPUs
    for (const target* t : found.usable) {
        if (t->kind == device::cpu) continue;
        const double one = 1 / us_on(e, c, *t);
        rate = shared ? rate + one : std::max(rate, one);
    }
    const bool by_gpus = rate * found.cores_us > 1;
    return gain_by_another(by_gpus ? 1 / rate : found.cores_us, gpu_us, by_gpus && shared);
}

/// Of what the call reads, that some of these memories have, or that none of them has.
enum class there : std::uint8_t { is, is_not };
double bytes_read(engine& e, const call& c, node_mask memories, there wanted)
{
    double bytes = 0;
    const std::unique_lock lock(e.order);
    for_each_storage(c, [&](const storage& s, bool written) {
        const managed_state* const m = s.managed.load(std::memory_order_acquire);
        if (!m || written) return;
        const auto tiles = std::ranges::count_if(
            m->valid, [&](node_mask at) { return ((at & memories) != 0) == (wanted == there::is); });
        bytes += static_cast<double>(tiles) * static_cast<double>(m->tile_elements * s.element_size);
    });
    return bytes;
}
double bytes_elsewhere(engine& e, const call& c, node_mask memories)
{
    return bytes_read(e, c, memories, there::is_not);
}

/// A call's part of what `calls` on the same data move between the host and a GPU: the operands, and results that the
/// host wants.
double us_to_move(engine& e, const call& c, const target& gpu, std::size_t calls)
{
    double in = 0, out = 0;
    for_each_storage(c, [&](const storage& s, bool written) { (written ? out : in) += bytes_of(s); });
    const double back = out / rate_from(gpu) * goes_home(e, c, 0);
    return (in / rate_to(gpu) + back) / static_cast<double>(calls);
}

/// What the cores make of data that a GPU has, other calls on that GPU will want, unless the host does.
double us_to_send(engine& e, const call& c, const target& gpu)
{
    double out = 0;
    for_each_storage(c, [&](const storage& s, bool written) { out += written ? bytes_of(s) : 0; });
    if (out == 0 || bytes_read(e, c, node_mask{1} << gpu.node, there::is) == 0) return 0;
    return out / rate_to(gpu) * (1 - goes_home(e, c, 0));
}

/// Until the host's memory has what the call reads.
double us_to_host(engine& e, const call& c)
{
    double rate = std::numeric_limits<double>::infinity();
    for (const target& t : e.devices().targets())
        if (t.kind != device::cpu) rate = std::min(rate, rate_from(t));
    return bytes_elsewhere(e, c, node_mask{1} << STARPU_MAIN_RAM) / rate;
}

/// Whether data would have to leave a device that cannot do the call yet.
bool lies_elsewhere(engine& e, const call& c, const found_devices& found)
{
    node_mask memories = 0;
    for (const target* t : found.usable) memories |= node_mask{1} << t->node;
    return bytes_elsewhere(e, c, memories) > 0;
}

/// Of kernels that need only be loaded, whether the call does without, for the cores do it nearly as soon. What lies on
/// a GPU stays there: a kernel is loaded sooner than host memory is pinned. Where nobody knows how long the data is
/// used, it is as if it was there already.
bool does_without(engine& e, const call& c, const request& r, const device_kernels& kernels, const target& gpu,
                  std::size_t calls, found_devices& found)
{
    if (r.by != placed_by::strategy || found.cores_us == 0 || lies_elsewhere(e, c, found)) return false;
    const double moves_us = calls > 0 ? us_to_move(e, c, gpu, calls) : 0;
    const double gain_us = gain_by(e, c, us_on(e, c, gpu) + moves_us, found) + us_to_send(e, c, gpu);
    if (e.builder().is_worth_loading(kernels.way(), gain_us, std::max<std::size_t>(calls, 1), memory_to_pin(e, c)))
        return false;
    found.lost_us = std::max(found.lost_us, gain_us);
    return true;
}

bool take_from_cache(const call& c, const device_kernels& kernels)
{
    const auto begin = std::chrono::steady_clock::now();
    if (!kernels.take_from_cache()) return false;
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    log_debug("{}: kernels for {} loaded in {:.0f} us", c.site->what.name, kind_name(kernels.on().kind), took.count());
    return true;
}

/// `obeyed`: of the devices that it names.
found_devices look_for(engine& e, const call& c, const request& r, std::size_t calls, const plan_range* obeyed)
{
    const device_set kinds = r.may_use.kinds;
    bool cpu_is_enough = false;
    found_devices found;
    for (const target& t : e.devices().targets()) {
        if (!kinds.has(t.kind) || (obeyed && !names(*obeyed, t))) continue;
        if (t.kind == device::cpu) {
            found.usable.push_back(&t);
            found.cores_us = us_on_cores(e, c);
            cpu_is_enough = !obeyed && !e.devices().policy_places() && found.cores_us < tuning::not_worth_a_gpu_us &&
                            !used_by_tasks(c);
            continue;
        }
        if (cpu_is_enough) continue;
        const device_kernels kernels(t, c, obeyed);
        std::string reason = size_refusal(e, t, c);
        if (reason.empty()) reason = kernels.refusal();
        if (!reason.empty()) found.add_reason(reason);
        else if (kernels.are_ready()) found.usable.push_back(&t);
        else if (!obeyed && does_without(e, c, r, kernels, t, calls, found)) continue;
        else if (!e.builder().is_building(kernels.way()) && take_from_cache(c, kernels)) {
            e.builder().note_loaded(kernels.way());
            found.usable.push_back(&t);
        } else found.unbuilt.push_back(kernels);
    }
    return found;
}

/// Now, in front of the call.
void build(engine& e, found_devices& found)
{
    if (found.unbuilt.empty()) return;
    for (const device_kernels& kernels : std::exchange(found.unbuilt, {})) {
        e.builder().leave(kernels.way());
        if (!kernels.are_ready()) kernels.build();
        e.builder().note_loaded(kernels.way());
        const std::string reason = kernels.refusal(); // of the compiler
        if (reason.empty()) found.usable.push_back(&kernels.on());
        else found.add_reason(reason);
    }
    std::ranges::sort(found.usable); // as the engine has them
}

found_devices find_usable(engine& e, const call& c, const request& r, const plan_range* obeyed)
{
    found_devices found = look_for(e, c, r, 1, obeyed);
    build(e, found);
    return found;
}

/// Whether the cores do the call while kernels are built, which is asked for.
bool goes_to_cores_meanwhile(engine& e, const call& c, const request& r, const found_devices& found)
{
    if (!e.wanted.builds_beside || r.by != placed_by::strategy || found.cores_us == 0) return false;
    if (found.unbuilt.empty() && !e.builder().is_busy()) return false;
    const double left_us = e.builder().left_us(found.unbuilt.size());
    const double cores_us = e.builder().cores_have_us() + us_to_host(e, c) + found.cores_us;
    if (!is_for_cores_meanwhile(cores_us, left_us)) return false;
    e.builder().give_cores(found.cores_us * part_of_cores(e)); // items' calls go on side by side
    for (const device_kernels& kernels : found.unbuilt)
        e.builder().add(kernels.way(), [&e, kernels] {
            kernels.build();
            e.builder().note_loaded(kernels.way());
        });
    return true;
}

/// The devices of an execution plan; nothing in a trial that cannot obey it.
std::vector<const target*> named_targets(engine& e, const call& c, const request& r, const plan_range& obeyed)
{
    std::string reason = refusal(obeyed, e, c, r.may_use.kinds);
    found_devices found;
    if (reason.empty()) found = find_usable(e, c, r, &obeyed);
    if (reason.empty() && found.usable.size() < obeyed.shares.size())
        reason = "asks for a device that cannot run it: " + found.reasons;
    if (reason.empty()) return found.usable;
    if (!e.wanted.is_trial) throw_refusal(c, reason);
    note_disobedience();
    return {};
}

} // namespace

std::vector<const target*> usable_targets(engine& e, const call& c, request& r, std::size_t calls)
{
    if (r.obeyed)
        if (auto named = named_targets(e, c, r, *r.obeyed); !named.empty()) return named;
    r.obeyed = nullptr;
    found_devices found = look_for(e, c, r, calls, nullptr);
    r.meanwhile = goes_to_cores_meanwhile(e, c, r, found);
    if (r.meanwhile) std::erase_if(found.usable, [](const target* t) { return t->kind != device::cpu; });
    else build(e, found);
    r.loses = found.lost_us > tuning::bearable * found.cores_us;
    std::erase_if(found.usable, [&](const target* t) { return !r.may_use.has(*t); });
    if (found.usable.empty())
        throw function_error(fmt::format("{} on {} x {} elements: no device that the call may use can run it: {}",
                                         c.site->what.name, c.rows, c.cols,
                                         found.reasons.empty() ? "none is in use" : found.reasons));
    return found.usable;
}

bool is_ready_for_cuda(const engine& e, const call& c)
{
    if (trust_in(c.site->what, device::cuda) == trust::broken) return false;
    return std::ranges::any_of(e.devices().targets(), [&](const target& t) {
        return t.kind == device::cuda && device_kernels(t, c, nullptr).are_ready();
    });
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
