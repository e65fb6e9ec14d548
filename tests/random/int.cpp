#include "numbers.hpp"

RANDOM_PROGRAM_CALLS(int)

void random_programs::run_int(unsigned seed) { run_numbers<int, calls>(seed, 12); }
