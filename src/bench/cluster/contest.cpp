// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/cluster/contest.hpp"

#include <fmt/core.h>
#include <skelrt/skelrt.hpp>

#include <cmath>
#include <stdexcept>

namespace bench
{
namespace
{

double sample(const contest& c, const rank_contestant& who)
{
    skelrt::barrier();
    if (who.who == runs_as::skelrt) return c.all.time(who.run);
    double seconds = 0;
    c.team.run_alone([&] { seconds = c.all.time(who.run); });
    return seconds;
}

} // namespace

std::vector<summary> race(const contest& c, const std::vector<rank_contestant>& who)
{
    std::vector<contestant> all;
    for (const rank_contestant& w : who) all.push_back({w.name, [&c, &w] { return sample(c, w); }});
    constexpr int warm_up = 2;
    return alternate(all, warm_up, c.o.repeat);
}

void check(const contest& c, const char* what, std::size_t wrong_here)
{
    const double wrong = c.all.sum(static_cast<double>(wrong_here));
    if (wrong > 0) throw std::runtime_error(fmt::format("{}: {} elements are wrong", what, wrong));
}

bool agree(double a, double b) { return std::abs(a - b) <= 1e-10 * std::max(1.0, std::abs(b)); }

} // namespace bench
