// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/cluster/contest.hpp"

#include <fmt/core.h>
#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <cstdlib>

namespace bench
{
namespace
{

namespace sk = skelrt;

const auto twice = sk::map(SKELRT_FN((float x) { return 2.0f * x; }));
const auto heat =
    sk::stencil(SKELRT_FN((sk::hood2<double> u) { return 0.25 * (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1)); }),
                sk::border::constant(0.0));

double time_of(const std::function<void()>& work)
{
    work(); // makes what is made once
    work();
    const double start = now();
    work();
    return now() - start;
}

double maps(std::size_t n, int times)
{
    sk::vector<float> x(n, 1.0f);
    return time_of([&] {
        for (int k = 0; k < times; ++k) x = twice(x);
        sk::wait(x);
    });
}

double sums(std::size_t n, int times)
{
    const sk::vector<float> x(n, 1.0f);
    const auto sum = sk::reduce(sk::plus, 0.0f);
    return time_of([&] {
        for (int k = 0; k < times; ++k) keep(static_cast<float>(sum(x)));
    });
}

double stencils(std::size_t n, std::size_t times)
{
    sk::matrix<double> u(n, n, 1.0);
    return time_of([&] {
        u = heat.iterate(times, u);
        sk::wait(u);
    });
}

struct work {
    const char* name;
    double (*run)();
};
constexpr work works[] = {
    {"maps of 1000 floats", [] { return maps(1000, 20000); }},
    {"maps of 2^22 floats", [] { return maps(std::size_t(1) << 22, 20); }},
    {"sums of 1000 floats", [] { return sums(1000, 20000); }},
    {"heat, 1000 x 1000", [] { return stencils(1000, 50); }},
};

/// In a runtime of its own, alone or as one rank.
double sample(const work& w, const char* cluster)
{
    setenv("SKELRT_CLUSTER", cluster, 1);
    const sk::runtime rt;
    return w.run();
}

} // namespace

void bench_one_rank(const ranks_options& o, report& out)
{
    const char* const before = std::getenv("SKELRT_CLUSTER");
    const std::string wished = before ? before : "";
    out.heading("one rank of one, and alone");
    double worst = 0;
    for (const work& w : works) {
        const auto times = alternate(
            {{"one rank", [&] { return sample(w, "mpi"); }}, {"alone", [&] { return sample(w, "off"); }}}, 1, o.repeat);
        out.row(w.name, "one rank", times[0]);
        out.row(w.name, "alone", times[1]);
        worst = std::max(worst, times[0].median / times[1].median);
    }
    out.figure("cluster_one_rank", worst);
    if (wished.empty()) unsetenv("SKELRT_CLUSTER");
    else setenv("SKELRT_CLUSTER", wished.c_str(), 1);
}

} // namespace bench
