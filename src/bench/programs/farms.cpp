// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/mixes/work.hpp"
#include "src/bench/programs/user_program.hpp"

#include <skelrt/farm.hpp>

#include <memory>
#include <numeric>
#include <vector>

namespace bench
{
namespace
{

/// Items of some kinds in turns, each on data of its own, five farms of them in a row.
double farms_of(std::vector<std::string_view> kinds, std::size_t items, stopwatch& rounds)
{
    std::vector<std::unique_ptr<item_work>> work;
    for (std::size_t k = 0; k < items; ++k) work.push_back(make_item_work(kinds[k % kinds.size()]));
    const auto farm = skelrt::farm([](std::unique_ptr<item_work>& w) { return w->run(); });
    double sum = 0;
    rounds.begin();
    for (int k = 0; k < 5; ++k) {
        const std::vector<double> results = farm(work);
        sum += std::accumulate(results.begin(), results.end(), 0.0);
    }
    rounds.end();
    return sum;
}

double mixed(std::size_t items, stopwatch& rounds)
{
    return farms_of({"compute", "stream", "stencil", "short", "plain"}, items, rounds);
}
double chains(std::size_t items, stopwatch& rounds) { return farms_of({"short"}, items, rounds); }

constexpr user_program all[] = {
    {"mixed", "farms of items of five kinds", {5, 20, 60}, &mixed},
    {"chains", "farms of items that are chains of short calls", {4, 16, 64}, &chains},
};

} // namespace

std::span<const user_program> farm_programs() { return all; }

} // namespace bench
