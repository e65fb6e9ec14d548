#include "numbers.hpp"

namespace
{

RANDOM_PROGRAM_CALLS(float)

} // namespace

void random_programs::run_float(unsigned seed) { program<float, calls>(seed).run(12); }
