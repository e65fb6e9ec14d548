// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/blas/library.hpp"

#include <string>
#include <utility>
#include <vector>

namespace skelrt::detail::blas
{

/// The libraries of all devices that skelrt was built for, by the names that people know. Opens them.
std::vector<std::pair<std::string, found_library>> find_libraries();

/// What was made for devices and their streams ends, before StarPU leaves them; once all tasks have ended.
void release_devices() noexcept;

} // namespace skelrt::detail::blas
