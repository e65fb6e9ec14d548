// SPDX-License-Identifier: BSD-3-Clause
// must say: only the last may give nothing
#include <skelrt/pipeline.hpp>

#include <optional>
namespace sk = skelrt;

auto p = sk::pipeline(sk::source([] { return std::optional(1); }), sk::parallel([](int) {}), sk::in_order([] {}));
