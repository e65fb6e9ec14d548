// SPDX-License-Identifier: BSD-3-Clause
/// Step 6 of docs/tutorial.md: which devices there are, and how to say who computes.

#include <skelrt/skelrt.hpp>

#include <cstdio>

namespace sk = skelrt;

const char* name_of(sk::device kind)
{
    switch (kind) {
    case sk::device::cpu:
        return "cpu";
    case sk::device::cuda:
        return "cuda";
    case sk::device::opencl:
        return "opencl";
    }
    return "?";
}

int main()
{
    sk::runtime rt;
    sk::device_set there;
    for (const sk::device_info& d : rt.devices()) {
        std::printf("%s %d\n", name_of(d.kind), d.number);
        there = there | d.kind;
    }

    const auto twice = sk::map(SKELRT_FN((float x) { return 2 * x; }));
    sk::vector<float> x(1'000'000, 1.0f);
    x = twice(x); // where it is fastest
    {
        const sk::only cores(sk::device::cpu); // calls of this thread, while it lives
        x = twice(x);
    }
    if (there.has(sk::device::cuda)) {
        const sk::follow shares(sk::plan({{sk::device::cuda, 0.75}, {sk::device::cpu, 0.25}}));
        x = twice(x); // three quarters of the elements on the first GPU
    } else {
        x = twice(x);
    }
    try {
        const sk::only opencl(sk::device::opencl); // an error where there is none
        x = twice(x);
    } catch (const sk::error&) {
        x = twice(x);
    }
    std::printf("each element is %.0f\n", sk::host_read(x)[0]);
}
