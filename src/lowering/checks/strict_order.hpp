// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/work.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

/// Whether a sort's comparison tells an order, by what the host's function says of some elements. Pure.
namespace skelrt::detail
{

/// What is not as in a strict weak order of n elements; nothing: all is. before(a, b) for a != b; O(n^3).
std::optional<std::string> broken_order(std::size_t n, const std::function<bool(std::size_t, std::size_t)>& before,
                                        const std::function<std::string(std::size_t)>& name);

/// The same of the elements of a sort's first segment, which lie in host memory.
std::optional<std::string> broken_order(const work& sort);

} // namespace skelrt::detail
