// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/machine/find_machine.hpp"

#include "src/config.hpp"
#include "src/jit/peaks.hpp"
#include "src/model/files/files.hpp"
#include "src/model/files/plan_file.hpp"
#include "src/model/files/store.hpp"
#include "src/model/machine/device_type.hpp"
#include "src/runtime/simulated.hpp"

#include <fmt/format.h>
#include <hwloc.h>
#include <starpu.h>
#if SKELRT_HAVE_OPENCL
#include <starpu_opencl.h>
#endif

#include <algorithm>
#include <string>

namespace skelrt::detail
{

namespace
{

std::optional<driver_peaks> ask_driver(const target& t)
{
    if (t.kind == device::cuda) return ask_cuda_peaks(t.number);
#if SKELRT_HAVE_OPENCL
    cl_device_id id = nullptr;
    starpu_opencl_get_device(t.number, &id);
    return ask_opencl_peaks(id);
#else
    return {};
#endif
}

void ask(device_peaks& d, const target& t, const device_peaks& cpu)
{
    const auto take = [](fact& f, double value) {
        if (value > 0) f = {value, source::asked};
    };
    if (const auto said = ask_driver(t)) {
        if (said->is_cpu) d.memory = cpu.memory; // the same memory
        take(d.memory, said->memory);
        take(d.fp32, said->fp32);
        take(d.fp64, said->fp64);
    }
    // PoCL and friends have no bus; a slow link is assumed rather than a free one.
    d.to.value = d.from.value = 1e3;
    take(d.to, starpu_transfer_bandwidth(STARPU_MAIN_RAM, t.node));
    take(d.from, starpu_transfer_bandwidth(t.node, STARPU_MAIN_RAM));
    d.both.value = likely_both_ways(d.to.value, d.from.value);
}

/// From the memory of each other device.
void ask_others(device_peaks& d, const target& t, const std::vector<target>& all)
{
    for (const target& other : all)
        if (other.kind != device::cpu && other.node != t.node)
            d.from_others[device_name(kind_text(other.kind), other.number)] = {
                starpu_transfer_bandwidth(other.node, t.node), source::asked};
}

std::vector<double> rates_by_node(const device_peaks& d, const std::vector<target>& all)
{
    std::vector<double> rates;
    for (const target& other : all)
        if (const auto at = d.from_others.find(device_name(kind_text(other.kind), other.number));
            at != d.from_others.end()) {
            rates.resize(std::max<std::size_t>(rates.size(), other.node + 1));
            rates[other.node] = at->second.value;
        }
    return rates;
}

/// Of all processors, the level next to memory.
double largest_caches_bytes()
{
#if !SKELRT_SIMULATION // the machine that simulates is another one
    hwloc_topology_t topology = starpu_get_hwloc_topology();
    for (const hwloc_obj_type_t level : {HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L2CACHE}) {
        double bytes = 0;
        for (hwloc_obj_t c = nullptr; (c = hwloc_get_next_obj_by_type(topology, level, c));)
            bytes += static_cast<double>(c->attr->cache.size);
        if (bytes > 0) return bytes;
    }
#endif
    return 0;
}

/// StarPU writes how much memory is free behind a name: another number in every run.
std::string without_memory(std::string name)
{
    const auto end = name.find(" GiB");
    const auto begin = end == std::string::npos ? end : name.rfind(' ', end - 1);
    return begin == std::string::npos ? name : name.erase(begin, end + 4 - begin);
}

std::string name_of_device(const target& t, const std::vector<device_info>& described, unsigned cores)
{
    for (const device_info& d : described)
        if (d.kind == t.kind && d.number == t.number)
            return t.kind == device::cpu ? fmt::format("{}, {} cores", d.name, cores) : without_memory(d.name);
    return {};
}

} // namespace

void take_measured(device_peaks& here, const machine& saved)
{
    const device_peaks* known = saved.find(here.kind, here.number);
    if (!known || (known->name != here.name && !simulated)) return;
    const auto take = [](fact& f, const fact& k) {
        if (k.from == source::measured || (simulated && k.value > 0)) f = k;
    };
    take(here.memory, known->memory);
    take(here.core_memory, known->core_memory);
    take(here.cache, known->cache);
    take(here.fp32, known->fp32);
    take(here.fp64, known->fp64);
    take(here.to, known->to);
    take(here.from, known->from);
    take(here.both, known->both);
    take(here.call_us, known->call_us);
    for (const auto& [other, rate] : known->from_others)
        if (const auto at = here.from_others.find(other); at != here.from_others.end()) take(at->second, rate);
}

machine find_machine(std::vector<target>& targets, const std::vector<device_info>& described, unsigned cores)
{
    const auto file = machine_file();
    const machine saved = file.empty() ? machine{} : load_machine(file);
    machine m{machine_name(), {}, saved.network};
    device_peaks cpu = assumed_cpu(cores);
    cpu.cache = {largest_caches_bytes(), source::asked};
    for (target& t : targets) {
        const bool is_cpu = t.kind == device::cpu;
        device_peaks d = is_cpu ? cpu : assumed_device(kind_text(t.kind), t.number);
        d.name = name_of_device(t, described, cores);
        if (!is_cpu) ask(d, t, cpu), ask_others(d, t, targets);
        take_measured(d, saved);
        if (is_cpu) cpu = d;
        else t.to_device = d.to.value, t.from_device = d.from.value, t.hindrance = hindrance_of(d);
        t.from_node = rates_by_node(d, targets);
        t.way_us = d.call_us.value;
        if (const device_peaks* first = m.any(d.kind)) {
            t.type = type_of(d, *first);
            t.speed = t.type ? d.memory.value / first->memory.value : 1;
        }
        m.devices.push_back(std::move(d));
    }
    return m;
}

} // namespace skelrt::detail
