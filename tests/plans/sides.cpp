// SPDX-License-Identifier: BSD-3-Clause
/// Episodes are told what the cores took of a split; by what the log says. OpenCL on the CPU stands for a GPU. Exit
/// code 77: there is none.

#include <skelrt/skelrt.hpp>

#include "../stderr_of.hpp"
#include "with_opencl.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdlib>
#include <string>

namespace sk = skelrt;

namespace
{

const auto dear = sk::map(SKELRT_FN((unsigned x) {
    for (int k = 0; k < 200; ++k) x = x * 1664525u + 1013904223u;
    return x;
}));

} // namespace

TEST_CASE("episodes are told what the cores took of a split", "[sides]")
{
    constexpr std::size_t n = 1 << 20;
    sk::vector<unsigned> x(n, 5u), y(n);
    x.set_tiles(8);
    y.set_tiles(8);
    unsigned want = 5;
    for (int k = 0; k < 200; ++k) want = want * 1664525u + 1013904223u;
    bool told = false;
    for (int i = 0; i < 200 && !told; ++i) {
        const std::string said = stderr_of([&] {
            y = dear(x);
            REQUIRE(sk::host_read(y)[n - 1] == want);
        });
        const auto took = said.find("% OpenCL took ");
        told = took != std::string::npos && said.find(" us, the cores ", took) != std::string::npos;
    }
    CHECK(told);
}

int main(int argc, char** argv)
{
    setenv("SKELRT_LOG", "debug", 1);
    return run_with_opencl(argc, argv, {});
}
