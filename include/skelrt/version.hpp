// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/api.hpp"

/// The version of the headers that a program is compiled with: #if SKELRT_VERSION >= 200. That of the library that it
/// runs with is skelrt::version().
#define SKELRT_VERSION_MAJOR 0 ///< its first part
#define SKELRT_VERSION_MINOR 2 ///< its second part
#define SKELRT_VERSION_PATCH 0 ///< its third part
#define SKELRT_VERSION (SKELRT_VERSION_MAJOR * 10000 + SKELRT_VERSION_MINOR * 100 + SKELRT_VERSION_PATCH)

namespace skelrt
{

/// The library's version, "0.2.0".
SKELRT_API const char* version() noexcept;

} // namespace skelrt
