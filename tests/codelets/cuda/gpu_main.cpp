// SPDX-License-Identifier: BSD-3-Clause
#include "device.hpp"
#include "run_cases.hpp"

#include <cstdio>

int main(int argc, char** argv)
{
    if (!device::available()) {
        std::puts("no CUDA device: skipped");
        return 77; // meson's and automake's number for a skipped test
    }
    return test::run_cases(argc, argv);
}
