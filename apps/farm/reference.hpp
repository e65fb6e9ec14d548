// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

namespace farm
{

/// The same by plain loops in double precision.
findings plain_findings(const samples& s);

} // namespace farm
