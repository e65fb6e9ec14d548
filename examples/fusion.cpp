// SPDX-License-Identifier: BSD-3-Clause
/// Step 4 of docs/tutorial.md: nested calls are one kernel, whether written as maps or with operators.

#include <skelrt/skelrt.hpp>

#include <cstdio>

namespace sk = skelrt;

int main()
{
    const sk::runtime rt;

    const auto ramp = sk::generate(SKELRT_FN((sk::index1 at) { return (float)(at.i % 1000) / 1000; }));
    const sk::vector<float> x = ramp(sk::shape(1 << 20)), y = ramp(sk::shape(1 << 20));

    const auto square = sk::map(SKELRT_FN((float a) { return a * a; }));
    const auto add = sk::map(SKELRT_FN((float a, float b) { return a + b; }));
    const auto root = sk::map(SKELRT_FN((float a) { return sqrt(a); }));
    const auto largest = sk::reduce(sk::maximum, 0.0f);

    const float nested = largest(root(add(square(x), square(y)))); // one kernel, nothing stored
    const float operators = largest(sk::sqrt(x * x + y * y));      // the same

    const sk::fusion off(false); // while it lives, one call after the other
    const float stored = largest(root(add(square(x), square(y))));

    std::printf("largest radius: %.4f, %.4f, %.4f\n", nested, operators, stored);
}
