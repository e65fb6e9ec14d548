// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/tuning/fixed_choices.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bench
{
namespace
{

namespace sk = skelrt;

std::string name_of(const sk::device_info& d)
{
    if (d.kind == sk::device::cpu) return "cores";
    return fmt::format("{} {}", d.kind == sk::device::cuda ? "cuda" : "opencl", d.number);
}

void add_threads(std::vector<fixed_choice>& all, const sk::device_info& cores)
{
    for (unsigned threads = cores.cores / 2; threads > 0; threads /= 2)
        all.push_back({fmt::format("{} thread{}", threads, threads == 1 ? "" : "s"),
                       sk::plan({{sk::device::cpu, 1, 0, 0, threads}})});
}

void add_ways_of(std::vector<fixed_choice>& all, const sk::device_info& gpu, bool cores)
{
    const auto add = [&](const std::string& how, std::vector<sk::plan_share> shares, bool sets_blocks = false) {
        all.push_back({name_of(gpu) + ", " + how, sk::plan(std::move(shares)), sets_blocks});
    };
    for (const unsigned threads : {64u, 128u, 256u, 512u, 1024u})
        add(fmt::format("blocks of {}", threads), {{gpu.kind, 1, gpu.number, 0, 0, threads}}, true);
    add("8 pieces", {{gpu.kind, 1, gpu.number, 8}});
    for (const double part : {0.9, 0.7, 0.4})
        if (cores)
            add(fmt::format("{:.0f} %", 100 * part), {{gpu.kind, part, gpu.number}, {sk::device::cpu, 1 - part}});
}

} // namespace

std::vector<fixed_choice> fixed_choices(const std::vector<sk::device_info>& devices)
{
    const auto is_cores = [](const sk::device_info& d) { return d.kind == sk::device::cpu; };
    const bool cores = std::ranges::any_of(devices, is_cores);
    std::vector<fixed_choice> all;
    for (const sk::device_info& d : devices)
        all.push_back({name_of(d), sk::plan({{d.kind, 1, d.number}}), false, !is_cores(d) && d.number == 0});
    for (const sk::device_info& d : devices) {
        if (is_cores(d) && devices.size() == 1) add_threads(all, d);
        if (!is_cores(d) && d.number == 0) add_ways_of(all, d, cores);
    }
    return all;
}

} // namespace bench
