// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/runtime.hpp>

#include <string>
#include <vector>

namespace apps::blas
{

struct blas_devices {
    std::vector<std::string> names; ///< as apps::devices_for
    skelrt::device_set on;          ///< kinds that tasks may run on
};

/// What `wanted` (an option of --device) means for tasks of blas.hpp's functions. Throws input_error if none of them
/// runs there.
blas_devices devices_for(const std::string& wanted, const skelrt::runtime& rt);

} // namespace apps::blas
