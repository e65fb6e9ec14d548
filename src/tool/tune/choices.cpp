// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/tune/choices.hpp"

#include "src/model/files/plan_file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace skelrt::tool
{

namespace
{

std::string name_of_device(const device_info& d) { return detail::device_text({d.kind, 1, d.number}); }

void add_fewer_threads(std::vector<choice>& all, const device_info& cores)
{
    for (const unsigned threads : {cores.cores / 2, cores.cores / 4}) // work that waits for memory needs no more
        if (threads > 0)
            all.push_back({fmt::format("{} with {} thread{}", name_of_device(cores), threads, threads == 1 ? "" : "s"),
                           {{cores.kind, 1, 0, 0, threads}}});
}

void add_ways_of_gpu(std::vector<choice>& all, const device_info& gpu, bool cores)
{
    const std::string name = name_of_device(gpu);
    all.push_back({name + " in 8 pieces", {{gpu.kind, 1, gpu.number, 8}}});
    for (const unsigned block : {64u, 128u, 256u, 512u, 1024u})
        all.push_back({fmt::format("{} in blocks of {}", name, block), {{gpu.kind, 1, gpu.number, 0, 0, block}}});
    for (const double part : {0.9, 0.7, 0.4})
        if (cores)
            all.push_back({fmt::format("{} {:.0f} %, cpu {:.0f} %", name, 100 * part, 100 * (1 - part)),
                           {{gpu.kind, part, gpu.number}, {device::cpu, 1 - part}}});
}

} // namespace

std::vector<choice> choices_for(const std::vector<device_info>& devices)
{
    const auto is_cores = [](const device_info& d) { return d.kind == device::cpu; };
    const bool cores = std::ranges::any_of(devices, is_cores);
    std::vector<choice> all{{"automatic", {}}};
    for (const device_info& d : devices) all.push_back({name_of_device(d), {{d.kind, 1, d.number}}});
    for (const device_info& d : devices) {
        if (is_cores(d)) add_fewer_threads(all, d);
        else add_ways_of_gpu(all, d, cores);
    }
    return all;
}

} // namespace skelrt::tool
