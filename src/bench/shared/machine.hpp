// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace bench
{

/// What one must know to read the numbers: machine, versions, date, environment. Several lines.
std::string machine_text();

} // namespace bench
