// SPDX-License-Identifier: BSD-3-Clause
#include "numbers.hpp"

RANDOM_PROGRAM_CALLS(long)

void random_programs::run_long(unsigned seed) { run_numbers<long, calls>(seed, 12); }
