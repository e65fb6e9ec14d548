// SPDX-License-Identifier: BSD-3-Clause
// must say: merge takes (problem&, std::span<R>) or (std::span<R>)
#include <skelrt/divide_and_conquer.hpp>
namespace sk = skelrt;

int f()
{
    return sk::divide_and_conquer([](int n) { return n < 2; },
                                  [](int n) {
                                      return std::array{n - 1, n - 2};
                                  },
                                  [](int n) { return n; }, [](int a, int b) { return a + b; })(9);
}
