// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/doctor/checks/calibration.hpp"

#include <fmt/format.h>

namespace skelrt::tool::doctor
{

namespace
{

constexpr const char* about = "calibration";
constexpr const char* command = "skelrt calibrate, while nothing else runs";

std::string name_of(const detail::device_peaks& d)
{
    return d.kind == "cpu" ? d.kind : fmt::format("{} {}", d.kind, d.number);
}

} // namespace

findings check_calibration(const calibration_facts& f)
{
    if (f.file.empty()) return {}; // the folder for models says why
    if (!f.measured) return {warn(about, "this machine was never measured, so first plans go by assumptions", command)};
    findings all;
    for (const detail::device_peaks& d : f.known.devices)
        if (d.memory.from != detail::source::measured)
            all.push_back(
                warn(about,
                     fmt::format("{} has nothing about {} as it is now ({}): another device, another number of cores, "
                                 "or never measured",
                                 f.file.string(), name_of(d), d.name),
                     command));
    if (all.empty()) all.push_back(fine(about, fmt::format("{} knows this machine", f.file.string())));
    return all;
}

} // namespace skelrt::tool::doctor
