// SPDX-License-Identifier: BSD-3-Clause
#include "devices.hpp"

#include "kinds.hpp"

#include "apps/shared/program/devices.hpp"
#include "apps/shared/program/error.hpp"

#include <fmt/format.h>

namespace apps::blas
{

blas_devices devices_for(const std::string& wanted, const skelrt::runtime& rt)
{
    blas_devices result{apps::devices_for(wanted, rt), usable_kinds(rt)};
    std::erase_if(result.names, [&](const std::string& name) { return (set_of(name) & result.on).empty(); });
    if (result.names.empty()) throw input_error(fmt::format("--device {}: cuBLAS and cuSOLVER are not here", wanted));
    if (wanted == "all" && result.names == std::vector<std::string>{"cpu", "hybrid"}) result.names.pop_back();
    return result;
}

} // namespace apps::blas
