// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

/// The variables of StarPU 1.4, by name. Pure.
namespace skelrt::detail
{

/// What StarPU takes a variable's value for.
enum class starpu_value : std::uint8_t { number, fraction, list, text };

/// Nothing: StarPU does not read it.
std::optional<starpu_value> starpu_value_of(std::string_view name);

/// All whose names are fixed.
std::vector<std::string_view> starpu_names();

} // namespace skelrt::detail
