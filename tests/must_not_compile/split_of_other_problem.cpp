// SPDX-License-Identifier: BSD-3-Clause
// must say: split takes the problem and each of its parts
#include <skelrt/divide_and_conquer.hpp>
namespace sk = skelrt;

int f()
{
    return sk::divide_and_conquer([](int n) { return n < 2; },
                                  [](const char* n) {
                                      return std::array{n, n};
                                  },
                                  [](int n) { return n; }, [](std::span<int> r) { return r[0]; })(9);
}
