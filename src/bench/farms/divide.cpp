// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/commands.hpp"
#include "src/bench/farms/divide_rivals.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/race/rival_team.hpp"
#include "src/bench/shared/timing.hpp"

#include "apps/quicksort/input.hpp"
#include "apps/quicksort/kernel.hpp"
#include "apps/shared/program/option_list.hpp"

#include <fmt/core.h>
#include <skelrt/divide_and_conquer.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bench
{
namespace
{

namespace sk = skelrt;

struct options {
    int fib = 32;
    std::size_t n = 20'000'000;
    int repeat = 9;
};

const auto fib = sk::divide_and_conquer([](int n) { return n < 2; },
                                        [](int n) {
                                            return std::array{n - 1, n - 2};
                                        },
                                        [](int n) { return std::int64_t{n}; },
                                        [](std::span<std::int64_t> r) { return r[0] + r[1]; });

/// Once, by one thread, without a tree.
std::int64_t plain_fib(int n)
{
    std::int64_t last = 0, now = 1;
    for (; n > 0; --n) last = std::exchange(now, last + now);
    return last;
}

template <class Work>
double seconds_of(const Work& work)
{
    const double begin = now();
    work();
    return now() - begin;
}

void run_fib(report& out, const options& o)
{
    out.heading(fmt::format("fib({}), a node for each call", o.fib));
    const auto timed = [&](auto f) {
        std::int64_t got = 0;
        const double seconds = seconds_of([&] { got = f(o.fib); });
        if (got != plain_fib(o.fib)) throw std::runtime_error(fmt::format("fib({}) has come to {}", o.fib, got));
        return seconds;
    };
    std::vector<contestant> who{{"skelrt", [&] { return timed([](int n) { return fib(n); }); }}};
    if (has_tbb())
        who.push_back({"tbb::task_group", [&] {
                           const paused_starpu quiet;
                           return timed(tbb_fib);
                       }});
    const auto times = alternate(who, 1, o.repeat);
    const double nodes = 2.0 * double(plain_fib(o.fib + 1)) - 1;
    for (std::size_t k = 0; k < who.size(); ++k)
        out.row("fib", who[k].name, times[k], nodes / times[k].best / 1e6, "M nodes/s");
    if (has_tbb()) out.figure("dac_fib_vs_tbb", times[0].median / times[1].median);
}

/// Seconds to sort a new copy of the input.
template <class Sort>
double seconds_to_sort(const std::vector<int>& input, const std::vector<int>& sorted, std::vector<int>& x, Sort sort)
{
    x = input;
    const double seconds = seconds_of([&] { sort(std::span(x)); });
    if (x != sorted) throw std::runtime_error("divide: what was sorted is not in order");
    return seconds;
}

struct sort_ratios {
    double vs_rival; ///< the best one
    double of_learnt_cutoff;
};

/// Our median times over others'.
sort_ratios run_sort(report& out, const options& o, const std::string& kind)
{
    out.heading(fmt::format("{} ints, {}", o.n, kind));
    const std::vector<int> input = quicksort::make_input(o.n, kind);
    std::vector<int> x, sorted = input;
    std::ranges::sort(sorted);
    std::vector<contestant> who{
        {"skelrt", [&] { return seconds_to_sort(input, sorted, x, [](auto all) { quicksort::sort(all); }); }},
        {"cut off as learnt", [&] {
             return seconds_to_sort(input, sorted, x, [](auto all) { quicksort::sort(all, quicksort::learnt_cutoff); });
         }}};
    const auto rival = [&](const char* name, void (*sort)(std::span<int>)) {
        who.push_back({name, [&, sort] {
                           const paused_starpu quiet;
                           return seconds_to_sort(input, sorted, x, sort);
                       }});
    };
    if (has_tbb()) rival("tbb::parallel_sort", tbb_sort), rival("std::sort(par)", std_parallel_sort);
    const auto times = alternate(who, 1, o.repeat);
    for (std::size_t k = 0; k < who.size(); ++k)
        out.row(kind, who[k].name, times[k], double(o.n) / times[k].best / 1e6, "M/s");
    const double best_rival = has_tbb() ? std::min(times[2].median, times[3].median) : times[0].median;
    return {times[0].median / best_rival, times[1].median / times[0].median};
}

int run(report& out, const options& o)
{
    const auto rt = start_runtime("cpu");
    limit_tbb(rt->devices().front().cores);
    out.note("devices: " + devices_text(*rt));
    out.note("contestants alternate, figures are of medians; StarPU's workers sleep while rivals run");
    if (!has_tbb()) out.note("built without oneTBB: there are no rivals");
    run_fib(out, o);
    sort_ratios worst{};
    for (const char* const kind : {"random", "sorted", "equal"}) {
        const sort_ratios r = run_sort(out, o, kind);
        worst = {std::max(worst.vs_rival, r.vs_rival), std::max(worst.of_learnt_cutoff, r.of_learnt_cutoff)};
    }
    if (has_tbb()) out.figure("quicksort_vs_tbb", worst.vs_rival);
    out.figure("dac_learnt_vs_cutoff", worst.of_learnt_cutoff);
    return 0;
}

} // namespace

runner declare_divide(apps::option_list& line)
{
    auto o = std::make_shared<options>();
    line.between("--fib", o->fib, 1, 60, "a number whose fib is computed");
    line.positive("--n", o->n, "ints to sort");
    line.positive("--repeat", o->repeat, "rounds");
    return [o](report& out) { return run(out, *o); };
}

} // namespace bench
