// SPDX-License-Identifier: BSD-3-Clause
#include "input.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace quicksort
{

std::vector<int> make_input(std::size_t n, const std::string& kind)
{
    std::vector<int> x(n, 42);
    if (kind == "sorted") std::iota(x.begin(), x.end(), 0);
    if (kind == "random")
        std::ranges::generate(x, [r = std::mt19937(1961)]() mutable { return static_cast<int>(r()); });
    return x;
}

} // namespace quicksort
