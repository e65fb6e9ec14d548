// SPDX-License-Identifier: BSD-3-Clause
#include <skelrt/error.hpp>

namespace skelrt
{

// Out of line: one type_info for the library and its users, so that catch works across them.
error::~error() = default;
function_error::~function_error() = default;
bounds_error::~bounds_error() = default;

} // namespace skelrt
