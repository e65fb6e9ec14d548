#include "numbers.hpp"

namespace
{

RANDOM_PROGRAM_CALLS(double)

} // namespace

void random_programs::run_double(unsigned seed) { program<double, calls>(seed).run(12); }
