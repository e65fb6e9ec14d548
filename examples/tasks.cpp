// SPDX-License-Identifier: BSD-3-Clause
/// Step 7 of docs/tutorial.md: functions on parts of data, and pieces of work that make calls themselves.

#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <span>
#include <vector>

namespace sk = skelrt;

/// Sorts quarters side by side, then merges them. What tasks read and write says who waits for whom.
void sort_by_tasks(sk::vector<int>& v)
{
    const auto sort = [](std::span<int> part) { std::ranges::sort(part); };
    const auto merge = [](std::span<int> part) {
        std::inplace_merge(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(part.size() / 2), part.end());
    };
    const std::size_t n = v.size(), quarter = n / 4;
    for (std::size_t first = 0; first < n; first += quarter) sk::task(sort, sk::inout(v.range(first, quarter)));
    sk::task(merge, sk::inout(v.range(0, n / 2)));
    sk::task(merge, sk::inout(v.range(n / 2, n / 2)));
    sk::task(merge, sk::inout(v));
}

/// What one item of the farm does: calls, and a wait for their result.
float energy(float wind)
{
    const auto power = sk::map(SKELRT_FN((sk::index1 at, float wind) {
        float v = wind + sin(0.01f * (float)at.i);
        return v * v * v;
    }));
    const auto sum = sk::reduce(sk::plus, 0.0f);
    return sum(power(sk::shape(1000), wind)) / 1000;
}

int main()
{
    const sk::runtime rt;

    std::vector<int> numbers(4000);
    std::iota(numbers.rbegin(), numbers.rend(), 0); // falling
    sk::vector<int> v(numbers.begin(), numbers.end());
    sort_by_tasks(v);
    const bool sorted = std::ranges::is_sorted(sk::host_read(v)); // waits for the tasks
    std::printf("sorted: %s\n", sorted ? "yes" : "no");

    const std::vector<float> winds{4, 6, 8};
    const std::vector<float> energies = sk::farm(energy)(winds); // items run at the same time
    for (std::size_t i = 0; i < winds.size(); ++i) std::printf("wind %.0f: energy %.0f\n", winds[i], energies[i]);
}
