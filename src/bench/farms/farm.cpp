// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/farms/farm_rivals.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/timing.hpp"

#include <fmt/core.h>
#include <skelrt/farm.hpp>
#include <skelrt/skelrt.hpp>
#include <sys/resource.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <ranges>
#include <stdexcept>
#include <vector>

namespace bench
{
namespace
{

namespace sk = skelrt;

struct options {
    std::string device = "cpu"; ///< cpu, cuda or hybrid
    std::size_t items = 1'000'000, inputs = 10'000'000;
    std::size_t elements = 50'000; ///< of a nested item
    int repeat = 7;
};

double farm_items_seconds(std::size_t items)
{
    const auto one = sk::farm([](std::size_t) { return std::uint32_t{1}; });
    const double begin = now();
    const auto results = one(std::views::iota(std::size_t{0}, items));
    const double took = now() - begin;
    if (results.size() != items || results.back() != 1) throw std::runtime_error("farm: results are missing");
    return took;
}

void compare_items(report& out, const options& o)
{
    out.heading(fmt::format("{} items without work, each with a result", o.items));
    const std::size_t tasks = o.items / 10; // a StarPU task keeps some hundred bytes until the wait
    const auto times = alternate({{"skelrt farm", [&] { return farm_items_seconds(o.items); }},
                                  {"StarPU tasks", [&] { return starpu_items_seconds(tasks); }},
                                  {"oneTBB task_group", [&] { return tbb_items_seconds(o.items); }}},
                                 1, o.repeat);
    const double ours = times[0].median / static_cast<double>(o.items);
    const double starpu = times[1].median / static_cast<double>(tasks);
    const double tbb = times[2].median / static_cast<double>(o.items);
    out.note(fmt::format("an item: skelrt {:.1f} ns, StarPU {:.1f} ns, oneTBB {:.1f} ns", ours * 1e9, starpu * 1e9,
                         tbb * 1e9));
    out.figure("farm_item_vs_starpu", ours / starpu);
    if (tbb > 0) out.figure("farm_item_vs_tbb", ours / tbb);
}

double peak_mb()
{
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return static_cast<double>(used.ru_maxrss) / 1024;
}

void measure_memory(report& out, const options& o)
{
    const double before = peak_mb(), begin = now();
    std::size_t sum = 0;
    sk::farm([](std::size_t i) {
        return i;
    }).each(std::views::iota(std::size_t{0}, o.inputs), [&](std::size_t, std::size_t i) { sum += i; });
    if (sum != o.inputs * (o.inputs - 1) / 2) throw std::runtime_error("farm: results of each() are wrong");
    out.heading(fmt::format("each() over {} inputs: {:.1f} ns an input", o.inputs,
                            (now() - begin) / static_cast<double>(o.inputs) * 1e9));
    out.figure("farm_memory_mb", peak_mb() - before);
}

const auto step = sk::map(SKELRT_FN((float x) {
    for (int k = 0; k < 8; ++k) x = x * 0.999f + 0.001f;
    return x;
}));

void compare_nested(report& out, const options& o)
{
    constexpr std::size_t items = 256;
    constexpr int steps = 5;
    std::vector<float> plain(items * o.elements, 2.0f);
    std::vector<sk::vector<float>> ours(items, sk::vector<float>(o.elements, 2.0f));
    const auto nested = sk::farm([](sk::vector<float>& x) {
        for (int k = 0; k < steps; ++k) x = step(x);
    });
    constexpr int in_a_row = 20; // OpenMP's threads stay awake for milliseconds after a loop
    const auto farm_seconds = [&] {
        const double begin = now();
        for (int k = 0; k < in_a_row; ++k) nested(ours);
        for (const auto& x : ours) static_cast<void>(sk::host_read(x)); // calls that were left under way
        return (now() - begin) / in_a_row;
    };
    const auto flat_seconds = [&] {
        const double begin = now();
        for (int k = 0; k < in_a_row; ++k) openmp_items(plain.data(), items, o.elements, steps);
        return (now() - begin) / in_a_row;
    };
    out.heading(fmt::format("{} items of {} calls each on {} floats", items, steps, o.elements));
    const auto times =
        alternate({{"skelrt farm", farm_seconds}, {"OpenMP loop over items", flat_seconds}}, 2, o.repeat);
    out.row("nested calls", "skelrt farm", times[0]);
    out.row("nested calls", "OpenMP loop over items", times[1]);
    if (std::abs(sk::host_read(ours.back())[0] - plain.back()) > 1e-3f)
        throw std::runtime_error("farm: nested calls are wrong");
    out.figure("nested_cpu_vs_flat", times[0].median / times[1].median);
}

int run(report& out, const options& o)
{
    const auto rt = start_runtime(o.device);
    measure_memory(out, o); // first: the peak only grows
    compare_items(out, o);
    compare_nested(out, o);
    return 0;
}

} // namespace

runner declare_farm(apps::option_list& line)
{
    auto o = std::make_shared<options>();
    line.option("--device", o->device, "cpu, cuda or hybrid");
    line.positive("--items", o->items, "without work");
    line.positive("--inputs", o->inputs, "of each()");
    line.positive("--elements", o->elements, "of an item with calls");
    line.positive("--repeat", o->repeat, "rounds");
    return [o](report& out) { return run(out, *o); };
}

} // namespace bench
