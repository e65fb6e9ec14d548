#include "numbers.hpp"

namespace
{

RANDOM_PROGRAM_CALLS(long)

} // namespace

void random_programs::run_long(unsigned seed) { program<long, calls>(seed).run(12); }
