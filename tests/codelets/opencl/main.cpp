// SPDX-License-Identifier: BSD-3-Clause
#include "run_cases.hpp"

#include "../stencil_cases.hpp"

#include "codelets/opencl/kernels.hpp"

/// Everything twice: as the device is, and as if it were a GPU, whose kernels share the work differently.
int main(int argc, char** argv)
{
    const int failed = test::run_cases(argc, argv);
    skelrt::detail::opencl::treat_as_gpu(true);
    stencil_cases::forget_recipes();
    return failed + test::run_cases(argc, argv);
}
