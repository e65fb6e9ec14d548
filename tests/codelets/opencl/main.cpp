#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include "codelets/opencl/kernels.hpp"

/// Everything twice: as the device is, and as if it were a GPU, whose kernels share the work differently.
int main(int argc, char** argv)
{
    Catch::Session session;
    if (const int wrong = session.applyCommandLine(argc, argv); wrong != 0) return wrong;
    const int failed = session.run();
    skelrt::detail::opencl::treat_as_gpu(true);
    return failed + session.run();
}
