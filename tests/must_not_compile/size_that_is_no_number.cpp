// SPDX-License-Identifier: BSD-3-Clause
// must say: the function in sk::size_of takes one and gives a number
#include <skelrt/divide_and_conquer.hpp>
namespace sk = skelrt;

int f()
{
    return sk::divide_and_conquer(
        sk::size_of([](int) { return "large"; }),
        [](int n) {
            return std::array{n - 1, n - 2};
        },
        [](int n) { return n; }, [](std::span<int> r) { return r[0]; })(9);
}
