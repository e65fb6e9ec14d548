// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/model/machine/machine.hpp"
#include "src/runtime/running.hpp"

#include <vector>

namespace skelrt::detail
{

/// Facts about the devices of a running StarPU: measured (`skelrt calibrate`) where that was done, asked where somebody
/// knows, assumed otherwise. `described`: the same devices' names. Sets the targets' links to what it found.
machine find_machine(std::vector<target>& targets, const std::vector<device_info>& described, unsigned cores);

/// Takes what was measured of the same device: same kind, number and name.
void take_measured(device_peaks& here, const machine& saved);

} // namespace skelrt::detail
