// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/call.hpp>

namespace skelrt::detail
{

class engine;
class product;

/// Whether a product goes by panels, or ranks get the whole right side: from what all ranks know, so all decide alike.
bool goes_by_panels(const engine& e, const call& c, const product& p);

} // namespace skelrt::detail
