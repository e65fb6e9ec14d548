// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/model/files/plan_file.hpp"
#include "src/tool/tune/search.hpp"

#include <string>
#include <vector>

/// An assignment as a plan, and as text. Pure.
namespace skelrt::tool
{

/// Places that are automatic are left out: that is what a size without a range gets.
detail::program_plans plans_of(const assignment& a, const std::vector<place>& places,
                               const std::vector<choice>& choices);

/// "81 %  40 calls on 2^21 to 2^22-1 elements, 1.2 ms each: stencil (kernel.hpp:30)"
std::string as_text(const place& p);

} // namespace skelrt::tool
