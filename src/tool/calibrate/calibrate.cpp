// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/calibrate/calibrate.hpp"

#include "src/cluster/peers.hpp"
#include "src/model/files/plan_file.hpp"
#include "src/model/files/store.hpp"
#include "src/model/knowledge.hpp"
#include "src/model/machine/machine.hpp"
#include "src/tool/calibrate/measure.hpp"
#include "src/tool/calibrate/measure_network.hpp"

#include <skelrt/error.hpp>
#include <skelrt/runtime.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <unistd.h>

namespace skelrt::tool
{

namespace
{

using namespace detail;

/// One measurement, and where its result goes.
struct step {
    std::string what;
    std::function<double()> measure;
    fact* to;
};

std::vector<step> steps_for(const target& t, device_peaks& d, const std::vector<target>& targets)
{
    const std::string name = device_name(d.kind, d.number);
    std::vector<step> all{{name + ": memory", [&t] { return memory_rate(t); }, &d.memory},
                          {name + ": single precision", [&t] { return fp32_rate(t); }, &d.fp32},
                          {name + ": double precision", [&t] { return fp64_rate(t); }, &d.fp64},
                          {name + ": a call", [&t] { return call_us(t); }, &d.call_us}};
    if (t.kind == device::cpu) {
        all.push_back({name + ": memory, one core", [] { return core_memory_rate(); }, &d.core_memory});
        return all;
    }
    all.push_back({name + ": link to it", [&t] { return link_rate(t, direction::to_device); }, &d.to});
    all.push_back({name + ": link from it", [&t] { return link_rate(t, direction::from_device); }, &d.from});
    all.push_back({name + ": link, both ways", [&t] { return link_rate(t, direction::both); }, &d.both});
    for (const target& other : targets)
        if (const auto at = d.from_others.find(device_name(kind_text(other.kind), other.number));
            at != d.from_others.end())
            all.push_back({fmt::format("{}: link from {}", name, at->first),
                           [&other, &t] { return link_rate(other, t); }, &at->second});
    return all;
}

void show_progress(std::size_t done, std::size_t all, const std::string& what)
{
    if (!isatty(STDERR_FILENO)) return;
    constexpr std::size_t width = 30;
    const std::size_t filled = width * done / all;
    fmt::print(stderr, "\r[{}{}] {:>3} % {:<40}", std::string(filled, '#'), std::string(width - filled, '.'),
               100 * done / all, what);
    if (done == all) fmt::print(stderr, "\r{:80}\r", "");
    std::fflush(stderr);
}

void run(const std::vector<step>& steps)
{
    for (std::size_t k = 0; k < steps.size(); ++k) {
        show_progress(k, steps.size(), steps[k].what);
        if (const double value = steps[k].measure(); value > 0) *steps[k].to = {value, source::measured};
    }
    show_progress(steps.size(), steps.size(), "");
}

std::string rate_text(const fact& f, const char* unit)
{
    if (f.value <= 0) return {};
    return fmt::format("{:>8.4g} {} ({})", f.value * 1e-3, unit, name_of(f.from));
}

void show(const network_peaks& n)
{
    if (n.message_us.value <= 0) return;
    fmt::print("\nbetween ranks\n");
    const auto line = [](const char* what, const fact& f, const char* unit, double scale = 1) {
        fmt::print("  {:<24} {:>8.4g} {} ({})\n", what, f.value * scale, unit, name_of(f.from));
    };
    line("a value", n.value_us, "us");
    line("a message", n.message_us, "us");
    line("one more in a row", n.overhead_us, "us");
    line("bytes", n.bytes_per_us, "GB/s", 1e-3);
    line("copies at each end", n.copied_bytes_per_us, "GB/s", 1e-3);
}

void show(const machine& m)
{
    fmt::print("machine {}\n", m.name);
    for (const device_peaks& d : m.devices) {
        fmt::print("\n{}: {}\n", device_name(d.kind, d.number), d.name);
        const auto line = [](const char* what, const std::string& value) {
            if (!value.empty()) fmt::print("  {:<24} {}\n", what, value);
        };
        line("memory", rate_text(d.memory, "GB/s"));
        line("memory, one core", rate_text(d.core_memory, "GB/s"));
        if (d.cache.value > 0)
            line("largest caches", fmt::format("{:>8.4g} MiB ({})", d.cache.value / (1 << 20), name_of(d.cache.from)));
        line("single precision", rate_text(d.fp32, "GFlop/s"));
        line("double precision", rate_text(d.fp64, "GFlop/s"));
        line("link to it", rate_text(d.to, "GB/s"));
        line("link from it", rate_text(d.from, "GB/s"));
        line("link, both ways", rate_text(d.both, "GB/s"));
        for (const auto& [other, rate] : d.from_others)
            line(fmt::format("link from {}", other).c_str(), rate_text(rate, "GB/s"));
        line("a small call", fmt::format("{:>8.3g} us ({})", d.call_us.value, name_of(d.call_us.from)));
    }
    show(m.network);
}

/// How well the network's facts tell the times that they come from.
void show_predictions(const network_times& t, const network_peaks& n)
{
    fmt::print("\n{:>12} {:>12} {:>12}\n", "bytes", "us", "predicted");
    for (const auto& [bytes, us] : t.messages)
        fmt::print("{:>12.0f} {:>12.1f} {:>12.1f}\n", bytes, us, message_us(n, bytes));
}

std::filesystem::path file_for_results()
{
    const auto file = machine_file();
    if (file.empty())
        throw error("there is no place for the results: SKELRT_MODELS is none, or there is no home folder");
    return file;
}

} // namespace

void calibrate()
{
    const auto file = file_for_results();
    machine found;
    {
        setenv("SKELRT_MODELS", "none", 1); // the kernels that measure are none of the user's codelets
        const runtime rt;
        const engine& e = *engine::current();
        found = *e.learnt.models.machine();
        std::vector<step> steps;
        for (const target& t : e.devices().targets())
            for (device_peaks& d : found.devices)
                if (e.devices().available().has(t.kind) && d.kind == kind_text(t.kind) && d.number == t.number)
                    for (step& s : steps_for(t, d, e.devices().targets())) steps.push_back(std::move(s));
        run(steps);
    }
    save_machine(file, found);
    show(found);
    fmt::print("\nsaved as {}\n", file.string());
}

void calibrate_network()
{
    const auto file = file_for_results();
    setenv("SKELRT_MODELS", "none", 1);
    const runtime rt;
    engine& e = *engine::current();
    if (!e.cluster || e.cluster->size() < 2)
        throw error("skelrt calibrate --network measures between two ranks, best on two nodes: mpirun -n 2 --map-by "
                    "ppr:1:node skelrt calibrate --network");
    const network_times times = measure_network(e);
    if (e.cluster->rank() != 0) return;
    machine known = load_machine(file);
    if (known.devices.empty()) known = *e.learnt.models.machine();
    known.network = fit_network(times.value_us, times.messages, times.us_in_a_row, times.copied_bytes_per_us);
    save_machine(file, known);
    fmt::print("rank 0 and rank {}", times.other);
    show(known.network);
    show_predictions(times, known.network);
    fmt::print("\nsaved as {}\n", file.string());
}

void show_machine(bool json)
{
    const runtime rt;
    const machine m = *engine::current()->learnt.models.machine();
    if (json) fmt::print("{}", to_json(m));
    else show(m);
}

} // namespace skelrt::tool
