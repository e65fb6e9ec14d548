// SPDX-License-Identifier: BSD-3-Clause
/// A program to tune: maps of two sizes and a reduction. Prints what it computed.

#include <skelrt/skelrt.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>

namespace sk = skelrt;

/// Whatever the machine is: a program that "gains" is slow without a plan, one that "loses" with one.
static void take_its_time(std::string_view how)
{
    const bool planned = std::getenv("SKELRT_PLAN");
    if ((how == "gains" && !planned) || (how == "loses" && planned))
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
}

int main(int argc, char** argv)
{
    take_its_time(argc > 1 ? argv[1] : "");
    const sk::runtime rt;
    auto twice = sk::map(SKELRT_FN((float x) { return x + x; }));
    auto sum = sk::reduce(sk::plus, 0.0f);
    float total = 0;
    for (std::size_t n : {1000u, 300'000u}) {
        sk::vector<float> x(n, 1.0f), y;
        for (int i = 0; i < 4; ++i) {
            y = twice(x);
            total += float(sum(y));
        }
    }
    std::printf("%s %.0f\n", argc > 1 ? argv[1] : "total", static_cast<double>(total));
}
