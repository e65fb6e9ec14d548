// What most files of the benchmarks include, parsed once; see library.hpp.
#include <skelrt/skelrt.hpp>

#include <fmt/format.h>
