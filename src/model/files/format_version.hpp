// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/error.hpp>

#include <string>

/// Versions of the formats of files.
namespace skelrt::detail
{

/// A file of another version: not ours, so it stays as it is.
struct other_version : error {
    using error::error;
};

/// Throws other_version, which says both.
void check_format_version(int of_file, int ours);

} // namespace skelrt::detail
