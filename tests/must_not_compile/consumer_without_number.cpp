// SPDX-License-Identifier: BSD-3-Clause
// must say: the consumer of farm::each takes the number of an input and its result
// at most: 10 lines
// g++ only: clang++ 14 cannot read std::views of libstdc++ 12
#include <skelrt/skelrt.hpp>
#include <vector>
namespace sk = skelrt;

int f(const std::vector<int>& inputs)
{
    int sum = 0;
    sk::farm([](int v) { return v * v; }).each(inputs, [&](int square) { sum += square; });
    return sum;
}
