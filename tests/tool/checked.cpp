// SPDX-License-Identifier: BSD-3-Clause
/// A program for `skelrt check`: functions that all devices take; with an argument, one that only the host knows.

#include <skelrt/skelrt.hpp>

#include <cstdio>
#include <cstring>

namespace sk = skelrt;

static int only_here(int x) { return x + 1; }

int main(int argc, char** argv)
{
    const sk::runtime rt;
    const char* const how = argc > 1 ? argv[1] : "";
    sk::vector<int> x(1000, 1);
    x = sk::map(SKELRT_FN((int v) { return 2 * v; }))(x);
    if (std::strcmp(how, "refused") == 0) x = sk::map(SKELRT_FN((int v) { return only_here(v); }))(x);
    if (std::strcmp(how, "insists") == 0) {
        const sk::only there(sk::device::cuda); // in a check the cores do it
        x = sk::map(SKELRT_FN((int v) { return v + 1; }))(x);
    }
    const int sum = sk::reduce(sk::plus, 0)(x);
    std::printf("sum %d\n", sum);
    return std::strcmp(how, "fails") == 0 ? 7 : 0;
}
