// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/timing.hpp"

#include <fmt/core.h>
#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <barrier>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

namespace bench
{
namespace
{

namespace sk = skelrt;

struct options {
    std::string device = "cpu"; ///< cpu, cuda or hybrid
    unsigned threads = 8;
    int calls = 1000; ///< in a chain, without a wait in between
    double us = 20;   ///< that a call takes on one core
    int repeat = 7;
};

/// Some work for each element, so that a call of some microseconds fits in a core's cache.
const auto step = sk::map(SKELRT_FN((float x) {
    for (int k = 0; k < 8; ++k) x = x * 0.999f + 0.001f;
    return x;
}));

/// What a thread works on: nobody else has it.
class own_chain
{
public:
    explicit own_chain(std::size_t n) : x_(n, 2.0f) {}
    void run(int calls)
    {
        for (int k = 0; k < calls; ++k) x_ = step(x_);
        if (const float got = sk::host_read(x_)[0]; !(got >= 1.0f && got <= 2.0f))
            throw std::runtime_error(fmt::format("threads: a chain from 2 towards 1 has come to {}", got));
    }

private:
    sk::vector<float> x_;
};

/// Seconds from the first chain's begin to the last one's end.
double seconds_of(unsigned threads, std::size_t n, int calls)
{
    std::vector<own_chain> chains(threads, own_chain(n));
    for (own_chain& c : chains) c.run(calls / 10); // what is learnt, and where data lies
    std::barrier start(static_cast<std::ptrdiff_t>(threads));
    std::vector<double> begins(threads), ends(threads);
    std::vector<std::jthread> all;
    for (unsigned k = 0; k < threads; ++k)
        all.emplace_back([&, k] {
            start.arrive_and_wait();
            begins[k] = now();
            chains[k].run(calls);
            ends[k] = now();
        });
    all.clear(); // joins
    return *std::ranges::max_element(ends) - *std::ranges::min_element(begins);
}

[[gnu::noinline]] void plain_step(float* x, std::size_t n)
{
#pragma omp simd
    for (std::size_t i = 0; i < n; ++i)
        for (int k = 0; k < 8; ++k) x[i] = x[i] * 0.999f + 0.001f;
}

/// Elements of a call that takes one core so long: measured with a plain loop.
std::size_t elements_for(double us)
{
    constexpr std::size_t some = 4096;
    std::vector<float> x(some, 2.0f);
    double best = 1;
    for (int round = 0; round < 50; ++round) {
        const double begin = now();
        plain_step(x.data(), some);
        keep(x[0]);
        best = std::min(best, now() - begin);
    }
    return std::max<std::size_t>(static_cast<std::size_t>(us * 1e-6 / best * some), 1);
}

int run(report& out, const options& o)
{
    const auto rt = start_runtime(o.device);
    const std::size_t n = elements_for(o.us);
    out.heading(fmt::format("chains of {} calls on {} floats, {:.0f} us of one core each, by 1 and by {} threads",
                            o.calls, n, o.us, o.threads));
    std::vector<double> one, many;
    for (int round = 0; round < o.repeat; ++round) {
        one.push_back(seconds_of(1, n, o.calls));
        many.push_back(seconds_of(o.threads, n, o.calls));
    }
    const auto median = [](std::vector<double>& all) {
        std::ranges::nth_element(all, all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2));
        return all[all.size() / 2];
    };
    const double alone = median(one), together = median(many);
    out.note(fmt::format("1 thread: {:.2f} us a call; {} threads: {:.2f} us a call of each", alone / o.calls * 1e6,
                         o.threads, together / o.calls * 1e6));
    out.figure("threads_scaling", alone * o.threads / together);
    return 0;
}

} // namespace

runner declare_threads(apps::option_list& line)
{
    auto o = std::make_shared<options>();
    line.option("--device", o->device, "cpu, cuda or hybrid");
    line.positive("--threads", o->threads, "that make calls");
    line.positive("--calls", o->calls, "in a chain");
    line.positive("--us", o->us, "that a call takes on one core");
    line.positive("--repeat", o->repeat, "rounds");
    return [o](report& out) { return run(out, *o); };
}

} // namespace bench
