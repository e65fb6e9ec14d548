// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/runtime.hpp>

#include <string>
#include <vector>

namespace apps
{

/// What `wanted` (an option of --device) means on this runtime, in the order in which it runs. Throws input_error if
/// the device is not there. Of several ranks, each must have it.
std::vector<std::string> devices_for(const std::string& wanted, const skelrt::runtime& rt);

/// "cpu", "cuda" and "opencl" are kinds of device; "hybrid" is all there are.
skelrt::device_set set_of(const std::string& device);

/// For people: "2 cores", "4 x NVIDIA H100", "2 cores + NVIDIA H100".
std::string hardware_of(skelrt::device_set set, const skelrt::runtime& rt);

} // namespace apps
