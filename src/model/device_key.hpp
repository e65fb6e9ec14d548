#pragma once

#include "src/model/machine.hpp"

#include <string>
#include <vector>

namespace skelrt::detail
{

/// What stands in brackets of a name as StarPU tells it, without the place on the bus: "CUDA 1.0 (PRODUCT 00:06.0)". Else the name.
std::string product_of(const std::string& name);

/// The machine's devices by kind, number and product, "cuda 1 PRODUCT": the same in every process that finds them.
std::vector<std::string> device_keys(const machine& m);

} // namespace skelrt::detail
