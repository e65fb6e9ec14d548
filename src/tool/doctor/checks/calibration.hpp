// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/model/machine/machine.hpp"
#include "src/tool/doctor/finding.hpp"

#include <filesystem>

/// Whether this machine was measured, and as it is now. Pure.
namespace skelrt::tool::doctor
{

struct calibration_facts {
    std::filesystem::path file; ///< of `skelrt calibrate`; empty: there is no place for it
    bool measured = false;      ///< that file is there
    detail::machine known;      ///< what programs go by; without devices: no runtime started
};

findings check_calibration(const calibration_facts& f);

} // namespace skelrt::tool::doctor
