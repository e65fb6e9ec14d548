// SPDX-License-Identifier: BSD-3-Clause
#include "numbers.hpp"

RANDOM_PROGRAM_CALLS(double)

void random_programs::run_double(unsigned seed) { run_numbers<double, calls>(seed, 12); }
