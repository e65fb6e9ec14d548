// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/tune/choices.hpp"

#include <catch2/catch.hpp>

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
