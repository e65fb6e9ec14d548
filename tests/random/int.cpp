// SPDX-License-Identifier: BSD-3-Clause
#include "numbers.hpp"

RANDOM_PROGRAM_CALLS(int)

void random_programs::run_int(unsigned seed) { run_numbers<int, calls>(seed, 12); }
