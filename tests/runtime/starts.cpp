// SPDX-License-Identifier: BSD-3-Clause
/// A small program: starts, computes on every kind of device that there is, ends. For surroundings.sh. 0: all is right;
/// 3: an error of the library's, which is printed.

#include <skelrt/skelrt.hpp>

#include <cstdio>

namespace sk = skelrt;

int main()
{
    try {
        const sk::runtime rt;
        const auto twice = sk::map(SKELRT_FN((int a) { return 2 * a; }));
        const auto sum = sk::reduce(sk::plus, 0);
        sk::device_set there;
        for (const auto& d : rt.devices()) there = there | d.kind;
        for (const sk::device kind : {sk::device::cpu, sk::device::cuda, sk::device::opencl}) {
            if (!there.has(kind)) continue;
            const sk::only here(kind);
            sk::vector<int> x(50'000, 1);
            for (int k = 0; k < 10; ++k) x = twice(x);
            if (sum(x).get() != 50'000 << 10) {
                std::puts("a wrong value");
                return 1;
            }
        }
        std::puts("right");
        return 0;
    } catch (const sk::error& e) {
        std::printf("error: %s\n", e.what());
        return 3;
    }
}
