// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace skelrt::tool::doctor
{

/// Starts a runtime, does a map and a reduction on the device ("cuda 0") and compares every element with what it should
/// be; then measures its memory and link. Throws error if there is no such device, and what the calls throw.
nlohmann::ordered_json run_small_program(const std::string& device);

} // namespace skelrt::tool::doctor
