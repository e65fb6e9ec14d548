// SPDX-License-Identifier: BSD-3-Clause
// Catch2 2's own part takes longer to compile than most tests: it is compiled here, once. Catch2 3's is a library.
#define CATCH_CONFIG_RUNNER
#define CATCH_CONFIG_NO_POSIX_SIGNALS // its handler allocates: with a corrupt heap a test would hang, not end
#include <catch2/catch.hpp>

#include "run_cases.hpp"

int test::run_cases(int argc, char** argv)
{
    static Catch::Session session; // there may be one only
    static const int wrong = session.applyCommandLine(argc, argv);
    return wrong != 0 ? wrong : session.run();
}
