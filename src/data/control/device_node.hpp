// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/runtime/running.hpp"

#include <skelrt/detail/caller.hpp>

#include <cstddef>

namespace skelrt::detail
{

/// The memory node of a device; that of the cores is the host's memory. Throws error for devices that are not in use.
unsigned node_of_device(const running& r, device kind, int number, const caller& where, std::size_t elements);

} // namespace skelrt::detail
