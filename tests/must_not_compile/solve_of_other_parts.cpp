// SPDX-License-Identifier: BSD-3-Clause
// must say: solve takes one of the parts that split gives
#include <skelrt/divide_and_conquer.hpp>
namespace sk = skelrt;

int f()
{
    return sk::divide_and_conquer([](int n) { return n < 2; },
                                  [](int n) {
                                      return std::array{n - 1, n - 2};
                                  },
                                  [](const char* n) { return *n; }, [](std::span<int> r) { return r[0]; })(9);
}
