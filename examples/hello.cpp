// SPDX-License-Identifier: BSD-3-Clause
/// Step 1 of docs/tutorial.md: a map over two vectors, and what it computed.

#include <skelrt/skelrt.hpp>

#include <cstdio>

namespace sk = skelrt;

int main()
{
    const sk::runtime rt; // all cores and all GPUs, until the end of main

    const std::size_t n = 1'000'000;
    const sk::vector<float> x(n, 1.0f);
    sk::vector<float> y(n, 2.0f);

    const auto saxpy = sk::map(SKELRT_FN((float a, float x, float y) { return a * x + y; }));
    y = saxpy(3.0f, x, y); // 3.0f is the same for all elements

    const auto seen = sk::host_read(y); // waits, and shows y on the host
    std::printf("%zu elements, each of them %.0f\n", seen.size(), seen[0]);
}
