// SPDX-License-Identifier: BSD-3-Clause
#include "numbers.hpp"

RANDOM_PROGRAM_CALLS(float)

void random_programs::run_float(unsigned seed) { run_numbers<float, calls>(seed, 12); }
