// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace skelrt::detail
{

/// The known name that takes the fewest letters to insert, delete or replace to be made of this one. Empty: all take
/// more than `most`. Pure.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known, std::size_t most);

} // namespace skelrt::detail
