// SPDX-License-Identifier: BSD-3-Clause
// must say: a stage of this pipeline cannot take what the stage before it gives
#include <skelrt/pipeline.hpp>

#include <optional>
#include <string>
namespace sk = skelrt;

auto p = sk::pipeline(sk::source([] { return std::optional(1); }), sk::serial([](std::string s) { return s; }),
                      sk::in_order([](std::string) {}));
