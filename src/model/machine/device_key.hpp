// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/model/machine/machine.hpp"
#include "src/runtime/devices.hpp"

#include <string>
#include <vector>

namespace skelrt::detail
{

/// What stands in brackets of a name as StarPU tells it, "CUDA 1.0 (PRODUCT 00:06.0)", without the place on the bus;
/// else the name.
std::string product_of(const std::string& name);

struct known_device {
    std::string key; ///< kind, number and product, "cuda 1 PRODUCT": the same in every process that finds it
    unsigned node;   ///< number of its memory in this one
    friend bool operator==(const known_device&, const known_device&) = default;
};
/// The targets, in their order, which are the machine's devices.
std::vector<known_device> known_devices(const std::vector<target>& targets, const machine& m);
/// All in one text.
std::string text_of(const std::vector<known_device>& devices);

} // namespace skelrt::detail
