#define CATCH_CONFIG_RUNNER
#include "device.hpp"

#include <cstdio>

int main(int argc, char** argv)
{
    if (!device::available()) {
        std::puts("no CUDA device: skipped");
        return 77; // meson's and automake's number for a skipped test
    }
    return Catch::Session().run(argc, argv);
}
