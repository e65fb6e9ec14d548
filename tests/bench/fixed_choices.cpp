// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/tuning/fixed_choices.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

using namespace bench;
using skelrt::device;

namespace
{

skelrt::device_info described(device kind, int number, unsigned cores = 0)
{
    skelrt::device_info d{};
    d.kind = kind;
    d.number = number;
    d.cores = cores;
    return d;
}

long count(const std::vector<fixed_choice>& all, bool fixed_choice::*what)
{
    return std::ranges::count(all, true, what);
}

} // namespace

TEST_CASE("cores alone are tried with fewer threads, down to one", "[tuning]")
{
    const auto all = fixed_choices({described(device::cpu, 0, 8)});
    REQUIRE(all.size() == 4);
    REQUIRE(all[3].name == "1 thread");
    REQUIRE(count(all, &fixed_choice::sets_blocks) == 0);
}

TEST_CASE("the first GPU of a kind is tried in blocks, in pieces and with the cores; others alone", "[tuning]")
{
    for (const device kind : {device::cuda, device::opencl}) {
        const auto all = fixed_choices({described(device::cpu, 0, 2), described(kind, 0), described(kind, 1)});
        REQUIRE(all.size() == 3 + 5 + 1 + 3);
        REQUIRE(count(all, &fixed_choice::sets_blocks) == 5);
        REQUIRE(count(all, &fixed_choice::usual_blocks) == 1);
        std::set<std::string> names;
        for (const fixed_choice& c : all) names.insert(c.name);
        REQUIRE(names.size() == all.size());
    }
}

TEST_CASE("without cores nothing is split", "[tuning]")
{
    for (const fixed_choice& c : fixed_choices({described(device::opencl, 0)}))
        REQUIRE(c.what.ranges()[0].shares.size() == 1);
}
