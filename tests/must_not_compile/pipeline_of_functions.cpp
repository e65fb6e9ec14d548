// SPDX-License-Identifier: BSD-3-Clause
// must say: sk::pipeline takes an sk::source, then stages: sk::parallel, sk::serial, sk::in_order
#include <skelrt/pipeline.hpp>

#include <optional>
namespace sk = skelrt;

auto p = sk::pipeline(sk::source([] { return std::optional(1); }), [](int) {});
