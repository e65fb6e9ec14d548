// SPDX-License-Identifier: BSD-3-Clause
// What most files of the benchmarks include, parsed once; see library.hpp.
#include <skelrt/skelrt.hpp>

#ifdef __OPTIMIZE__ // without it fmt asks for a little, and this header would ask that of all that follows
#include <fmt/format.h>
#endif
