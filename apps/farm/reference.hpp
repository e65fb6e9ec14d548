// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "study.hpp"

#include "apps/shared/check.hpp"

namespace farm
{

/// By plain loops in double precision.
findings plain_findings(const samples& s);

/// All that was found; errors are relative to each value, and good if they are at most 1e-4.
apps::comparison compare(const findings& got, const findings& right);

} // namespace farm
