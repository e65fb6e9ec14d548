// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/tune_choices.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace skelrt;
using namespace skelrt::tool;

namespace
{

device_info described(device kind, unsigned cores)
{
    device_info d{};
    d.kind = kind;
    d.cores = cores;
    return d;
}

std::vector<unsigned> threads_of(const std::vector<choice>& choices)
{
    std::vector<unsigned> threads;
    for (const choice& c : choices)
        if (c.shares.size() == 1 && c.shares[0].kind == device::cpu) threads.push_back(c.shares[0].threads);
    return threads;
}

/// One codelet of one size, for which each choice takes so long.
std::vector<tuned_codelet> with_times(std::vector<double> us)
{
    return {{7, "map (a.cpp:1)", {{1000, 2000, 0, us[0], us}}}};
}

const std::vector<choice> choices{{"automatic", {}},
                                  {"cpu", {{device::cpu}}},
                                  {"90 %", {{device::cuda, 0.9}, {device::cpu, 0.1}}},
                                  {"40 %", {{device::cuda, 0.4}, {device::cpu, 0.6}}}};

} // namespace

TEST_CASE("the cores are tried with all, half and a quarter of their threads", "[tune]")
{
    REQUIRE(threads_of(choices_for({described(device::cpu, 16)})) == std::vector<unsigned>{0, 8, 4});
    REQUIRE(threads_of(choices_for({described(device::cpu, 2)})) == std::vector<unsigned>{0, 1});
}

TEST_CASE("trials are few", "[tune]")
{
    REQUIRE(choices_for({described(device::cpu, 16)}).size() == 4);
    REQUIRE(choices_for({described(device::cpu, 16), described(device::cuda, 0)}).size() == 14);
}

TEST_CASE("GPUs are tried with blocks of several sizes, by CUDA and by OpenCL", "[tune]")
{
    for (const device kind : {device::cuda, device::opencl}) {
        std::vector<unsigned> blocks;
        for (const choice& c : choices_for({described(kind, 0)}))
            if (c.shares.size() == 1 && c.shares[0].block > 0) blocks.push_back(c.shares[0].block);
        REQUIRE(blocks == std::vector<unsigned>{64, 128, 256, 512, 1024});
    }
}

TEST_CASE("the best split is tried in 1, 4 and 16 pieces", "[tune]")
{
    const auto more = pieces_of_best_split(with_times({100, 200, 95, 80}), choices);
    REQUIRE(more.size() == 3);
    for (std::size_t k = 0; k < 3; ++k) {
        REQUIRE(more[k].shares.size() == 2);
        REQUIRE(more[k].shares[0].part == 0.4);
        REQUIRE(more[k].shares[0].pieces == std::vector<unsigned>{1, 4, 16}[k]);
        REQUIRE(more[k].shares[1].pieces == 0); // the cores'
    }
}

TEST_CASE("where no split gains, none is tried in pieces", "[tune]")
{
    REQUIRE(pieces_of_best_split(with_times({100, 200, 120, 101}), choices).empty());
    REQUIRE(pieces_of_best_split(with_times({100, 200, 0, 0}), choices).empty()); // none was possible
}
