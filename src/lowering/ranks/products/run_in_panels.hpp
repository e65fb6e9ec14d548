// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/ranks/join.hpp"

namespace skelrt::detail
{

class product;
class transfer;

/// A product over ranks: panels travel in the order of k, and each rank combines its part of the result with them,
/// where it lies. Nothing waits.
void run_in_panels(engine& e, const call& c, const product& p, transfer& messages, const run_local& run);

} // namespace skelrt::detail
