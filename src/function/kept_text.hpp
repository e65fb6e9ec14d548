// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace skelrt::detail
{

/// A copy that lives as long as the process, ending in a zero; equal texts have one. Texts of user functions and names
/// of types lie in the program, or in a plug-in, which may be closed while recipes still speak of them.
const char* kept_text(std::string_view text);

} // namespace skelrt::detail
