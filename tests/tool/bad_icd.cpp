// SPDX-License-Identifier: BSD-3-Clause
// Stands for an OpenCL driver that hangs, or crashes, as soon as somebody loads it: BAD_ICD=hang.
#include <cstdlib>
#include <cstring>

#include <unistd.h>

[[gnu::constructor]] static void begin()
{
    const char* how = std::getenv("BAD_ICD");
    while (how && std::strcmp(how, "hang") == 0) pause();
    std::abort();
}
