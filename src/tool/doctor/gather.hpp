// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/tool/doctor/checks/cores.hpp"
#include "src/tool/doctor/checks/devices.hpp"
#include "src/tool/doctor/checks/folders.hpp"
#include "src/tool/doctor/checks/variables.hpp"

#include <vector>

/// What the checks need to know of this machine, but for what drivers say: ask.hpp.
namespace skelrt::tool::doctor
{

/// Reads each value as a runtime would, by itself: the process's environment is as before afterwards.
variable_facts gather_variables();

std::vector<folder_facts> gather_folders();
/// Of models, calibration, and StarPU's measurements.
std::vector<kept_file> gather_files();

/// libgomp binds the first thread before main() where OMP_PROC_BIND says so: then this process, and those that it
/// starts, may use what its parent may. For the start.
void undo_binding_by_openmp();
core_facts gather_cores(const variables& set, const std::vector<int>& workers, int ranks);

/// On the PCI bus.
struct gpus_there {
    bool any = false, of_nvidia = false;
};
gpus_there gather_gpus();
std::vector<device_file> gather_device_files();

} // namespace skelrt::tool::doctor
