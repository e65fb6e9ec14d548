// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/machine/machine.hpp"

#include "src/model/files/format_version.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <mutex>
#include <utility>

namespace skelrt::detail
{

namespace
{

constexpr int format_version = 1;
constexpr const char* from_others_name = "from_others_bytes_per_us";

using json = nlohmann::ordered_json;

/// Every fact of a device, under its name in files.
template <class Device, class Visit>
void for_each_fact(Device& d, Visit visit)
{
    visit("memory_bytes_per_us", d.memory);
    visit("core_memory_bytes_per_us", d.core_memory);
    visit("cache_bytes", d.cache);
    visit("fp32_per_us", d.fp32);
    visit("fp64_per_us", d.fp64);
    visit("to_device_bytes_per_us", d.to);
    visit("from_device_bytes_per_us", d.from);
    visit("both_directions_bytes_per_us", d.both);
    visit("call_us", d.call_us);
}

/// The same for a network.
template <class Network, class Visit>
void for_each_network_fact(Network& n, Visit visit)
{
    visit("value_us", n.value_us);
    visit("message_us", n.message_us);
    visit("overhead_us", n.overhead_us);
    visit("bytes_per_us", n.bytes_per_us);
    visit("copied_bytes_per_us", n.copied_bytes_per_us);
}

source source_from(const std::string& text)
{
    for (source s : {source::assumed, source::asked, source::measured})
        if (text == name_of(s)) return s;
    throw error(fmt::format("\"{}\" is no source of a fact: assumed, asked or measured", text));
}

fact fact_from(const json& j)
{
    const fact f{j.at(0).get<double>(), source_from(j.at(1).get<std::string>())};
    if (!(f.value > 0 && f.value < 1e15)) throw error(fmt::format("a rate or time of {} makes no sense", f.value));
    return f;
}

machine read(const json& all)
{
    check_format_version(all.at("skelrt_machine").get<int>(), format_version);
    machine m;
    m.name = all.at("machine").get<std::string>();
    for (const json& j : all.at("devices")) {
        device_peaks d;
        d.kind = j.at("kind").get<std::string>();
        d.number = j.at("number").get<int>();
        d.name = j.at("name").get<std::string>();
        for_each_fact(d, [&](const char* name, fact& f) {
            if (const auto at = j.find(name); at != j.end()) f = fact_from(*at);
        });
        if (const auto at = j.find(from_others_name); at != j.end())
            for (const auto& [other, rate] : at->items()) d.from_others[other] = fact_from(rate);
        m.devices.push_back(std::move(d));
    }
    if (const auto j = all.find("network"); j != all.end())
        for_each_network_fact(m.network, [&](const char* name, fact& f) {
            if (const auto at = j->find(name); at != j->end()) f = fact_from(*at);
        });
    return m;
}

/// Arithmetic of an element on all cores. On a virtual machine of 16, loops bound by it took 1.2 to 1.7 times as long
/// on all cores as on one, for their share.
double team_compute_us(double core_ns, unsigned cores, bool chained)
{
    constexpr double company = 1.5;
    return std::max(core_ns, 0.0) * 1e-3 / std::max(cores, 1u) * (cores > 1 && !chained ? company : 1);
}

/// Bytes per microsecond.
double team_memory(const device_peaks& cpu, unsigned cores)
{
    return std::min(cpu.memory.value, std::max(cores, 1u) * cpu.core_memory.value);
}

} // namespace

const char* name_of(source s) noexcept
{
    switch (s) {
    case source::assumed:
        return "assumed";
    case source::asked:
        return "asked";
    case source::measured:
        return "measured";
    }
    return "";
}

std::string device_name(const std::string& kind, int number)
{
    return kind == "cpu" ? kind : fmt::format("{} {}", kind, number);
}

const device_peaks* machine::find(const std::string& kind, int number) const noexcept
{
    const auto at =
        std::ranges::find_if(devices, [&](const device_peaks& d) { return d.kind == kind && d.number == number; });
    return at == devices.end() ? nullptr : &*at;
}

const device_peaks* machine::any(const std::string& kind) const noexcept
{
    const auto at = std::ranges::find(devices, kind, &device_peaks::kind);
    return at == devices.end() ? nullptr : &*at;
}

std::string to_json(const machine& m)
{
    json all{{"skelrt_machine", format_version}, {"machine", m.name}, {"devices", json::array()}};
    for (const device_peaks& d : m.devices) {
        json j{{"kind", d.kind}, {"number", d.number}, {"name", d.name}};
        for_each_fact(d, [&](const char* name, const fact& f) {
            if (f.value > 0) j[name] = {f.value, name_of(f.from)};
        });
        for (const auto& [other, rate] : d.from_others)
            if (rate.value > 0) j[from_others_name][other] = {rate.value, name_of(rate.from)};
        all["devices"].push_back(std::move(j));
    }
    for_each_network_fact(m.network, [&](const char* name, const fact& f) {
        if (f.value > 0) all["network"][name] = {f.value, name_of(f.from)};
    });
    return all.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

machine machine_from_json(const std::string& text)
{
    try {
        return read(json::parse(text));
    } catch (const nlohmann::json::exception& e) {
        throw error(fmt::format("it is no file about a machine: {}", e.what()));
    }
}

// Bytes and operations per microsecond of today's hardware, rounded.

device_peaks assumed_cpu(unsigned cores)
{
    constexpr double core_bytes = 8e3, all_cores_bytes = 100e3, many_cores_bytes = 6e3, core_fp32 = 50e3;
    const double n = std::max(cores, 1u); // machines with many cores have more channels to memory
    device_peaks d;
    d.kind = "cpu";
    d.core_memory.value = core_bytes;
    d.call_us.value = 10;
    d.memory.value = std::min(n * core_bytes, std::max(all_cores_bytes, n * many_cores_bytes));
    d.fp32.value = n * core_fp32;
    d.fp64.value = n * core_fp32 / 2;
    return d;
}

device_peaks assumed_device(const std::string& kind, int number)
{
    device_peaks d;
    d.kind = kind;
    d.number = number;
    d.memory.value = 500e3;
    d.fp32.value = 10e6;
    d.fp64.value = d.fp32.value / 32;
    d.to.value = d.from.value = 10e3;
    d.call_us.value = 25;
    d.both.value = likely_both_ways(d.to.value, d.from.value);
    return d;
}

double hindrance_of(const device_peaks& d)
{
    const double apart = d.to.value + d.from.value;
    return d.both.value > 0 ? std::clamp(apart / d.both.value, 1.0, 2.0) - 1 : 0;
}

double likely_both_ways(double to, double from) { return 0.9 * (to + from); }

double best_core_us(const device_peaks& cpu, double bytes, double core_ns)
{
    return std::max(std::max(core_ns, 0.0) * 1e-3, bytes / cpu.core_memory.value);
}

double best_device_us(const device_peaks& device, const device_peaks& cpu, double bytes, double core_ns, unsigned cores)
{
    const double core_fp32 = cpu.fp32.value / std::max(cores, 1u);
    return std::max(std::max(core_ns, 0.0) * 1e-3 * core_fp32 / device.fp32.value, bytes / device.memory.value);
}

double likely_team_us(const device_peaks& cpu, element_traffic bytes, double elements, double core_ns, unsigned cores,
                      bool chained)
{
    // Of that machine: passes over 128 MiB at 190 GB/s out of caches, 100 to 120 out of memory. Of a program that goes
    // over 256 MB, then over others, and over these again, 300 MiB of caches held nothing.
    constexpr double caches_over_memory = 2, others = 2;
    const bool cached = others * bytes.held * elements <= cpu.cache.value;
    const double moved = cached ? bytes.held / caches_over_memory : bytes.moved;
    return std::max(team_compute_us(core_ns, cores, chained), moved / team_memory(cpu, cores));
}

bool waits_for_memory(const device_peaks& cpu, double bytes, double core_ns, unsigned cores)
{
    return team_compute_us(core_ns, cores, false) < bytes / team_memory(cpu, cores);
}

} // namespace skelrt::detail
