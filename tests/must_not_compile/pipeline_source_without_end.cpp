// SPDX-License-Identifier: BSD-3-Clause
// must say: the source of a pipeline gives a std::optional, empty at its end
#include <skelrt/pipeline.hpp>
namespace sk = skelrt;

auto p = sk::pipeline(sk::source([] { return 1; }), sk::in_order([](int) {}));
auto n = p();
