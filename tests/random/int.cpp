#include "numbers.hpp"

namespace
{

RANDOM_PROGRAM_CALLS(int)

} // namespace

void random_programs::run_int(unsigned seed) { program<int, calls>(seed).run(12); }
