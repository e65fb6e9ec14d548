// SPDX-License-Identifier: BSD-3-Clause
/// A program to tune: maps of two sizes and a reduction. Prints what it computed.

#include <skelrt/skelrt.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>

namespace sk = skelrt;

/// Whatever the machine is: a program that "gains" is slow without a plan, one that "loses" with one; so are its maps.
static bool is_slow(std::string_view how)
{
    const bool planned = std::getenv("SKELRT_PLAN");
    return (how == "gains" && !planned) || (how == "loses" && planned);
}

int main(int argc, char** argv)
{
    const bool slow = is_slow(argc > 1 ? argv[1] : "");
    if (slow) std::this_thread::sleep_for(std::chrono::milliseconds(200));
    const sk::runtime rt;
    auto twice = sk::map(SKELRT_FN((float x, int rounds) {
        for (int k = 1; k < rounds; ++k) x = 0.5f * x + 0.5f * x;
        return x + x;
    }));
    auto sum = sk::reduce(sk::plus, 0.0f);
    float total = 0;
    for (std::size_t n : {1000u, 300'000u}) {
        sk::vector<float> x(n, 1.0f), y;
        for (int i = 0; i < 4; ++i) {
            y = twice(x, slow ? 50 : 1);
            total += float(sum(y));
        }
    }
    std::printf("%s %.0f\n", argc > 1 ? argv[1] : "total", static_cast<double>(total));
}
